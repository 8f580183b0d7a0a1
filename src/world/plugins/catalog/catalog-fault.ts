import type { CatalogProblemCode } from './catalog.contract.ts';

/** The catalog cannot be used as it is now; the message is for everybody who may see it. */
export class CatalogFault extends Error {
  readonly code: CatalogProblemCode;
  constructor(code: CatalogProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CatalogFault';
    this.code = code;
  }
}
