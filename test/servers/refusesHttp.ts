// Answers every request with one status, or with nothing at all.
import { listen, type RunningHttpServer } from './listen.ts';

export async function startRefusing(status: number): Promise<RunningHttpServer> {
  return listen((_request, response) => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end('no');
  });
}

export async function startHanging(): Promise<RunningHttpServer> {
  return listen(() => undefined);
}
