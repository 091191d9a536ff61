import { Emitter } from '../../src/base/event.ts';
import type {
  ClientFeatures,
  ElicitationAnswer,
  ElicitationRequest,
  Root,
  SamplingAnswer,
  SamplingRequest,
} from '../../src/core/clientFeatures/clientFeatures.ts';

/** Answers servers as a test says, and remembers what they asked. */
export class TestClientFeatures implements ClientFeatures {
  readonly asked: (ElicitationRequest | SamplingRequest)[] = [];
  readonly changeRoots = new Emitter<void>((error) => {
    throw error;
  });
  readonly onDidChangeRoots = this.changeRoots.event;
  currentRoots: readonly Root[] = [];
  elicitation: () => Promise<ElicitationAnswer> = () => Promise.resolve({ action: 'cancel' });
  sampling: () => Promise<SamplingAnswer | undefined> = () => Promise.resolve(undefined);

  roots(): readonly Root[] {
    return this.currentRoots;
  }

  elicit(_configuration: unknown, request: ElicitationRequest): Promise<ElicitationAnswer> {
    this.asked.push(request);
    return this.elicitation();
  }

  createMessage(
    _configuration: unknown,
    request: SamplingRequest,
  ): Promise<SamplingAnswer | undefined> {
    this.asked.push(request);
    return this.sampling();
  }
}
