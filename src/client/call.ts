import { type Contract, hasBody, isBinaryReply, takesFiles } from '../kit/contract.ts';

/** The part of a contract that a request needs: a page ships these few words instead of all its schemas. */
export interface Call {
  method: string;
  path: string;
  hasBody: boolean;
  takesFiles: boolean;
  isBinary: boolean;
  replyType: string;
}

export const callOf = (contract: Contract): Call => ({
  method: contract.method,
  path: contract.path,
  hasBody: hasBody(contract),
  takesFiles: takesFiles(contract),
  isBinary: isBinaryReply(contract),
  replyType: contract.replyType,
});
