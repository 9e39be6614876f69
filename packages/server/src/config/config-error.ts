/** Every mistake in the environment at once, each by the name of its variable. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The configuration is not valid:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.problems = problems;
  }
}
