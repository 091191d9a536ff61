/** Something found wrong in data that came from a settings file or a server. Collected and shown, never thrown. */
export interface Problem {
  /** What it is about: a settings path such as `servers.github.url`, or a tool name. */
  readonly where: string;
  /** What is wrong and what to do, for the person who reads it. */
  readonly message: string;
}
