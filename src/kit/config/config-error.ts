/** A fault in one variable, described without its name; parsers throw it and the loader adds the rest. */
export class Fault extends Error {}

/** A variable that cannot be used. The message is one line with its name, the fault and an example. */
export class ConfigError extends Error {
  readonly variable: string;

  constructor(variable: string, fault: string, example: string) {
    super(`${variable} ${fault}. For example: ${variable}=${example}`);
    this.name = 'ConfigError';
    this.variable = variable;
  }
}
