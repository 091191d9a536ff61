/** The message of anything that can be thrown. Never empty, never `undefined`, never a stack. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === 'string' && error !== '') return error;
  return 'Unknown error';
}

/** Whether the error is the consequence of an `AbortSignal` or of an editor cancellation. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** Closes a `switch` over a union: does not compile while a member is missing. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
