/** What is wrong with one variable, said without its name; parsers throw it and the loader adds the rest. */
export class Fault extends Error {}

/** A variable that cannot be used. The message is one line that names it, the fault and an example. */
export class ConfigError extends Error {
  readonly variable: string;

  constructor(variable: string, fault: string, example: string) {
    super(`${variable} ${fault}. For example: ${variable}=${example}`);
    this.name = 'ConfigError';
    this.variable = variable;
  }
}
