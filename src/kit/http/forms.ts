import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Contract, FileField } from '../contract.ts';
import { badRequest, HttpError, invalid, isDiskFull, unavailable } from '../errors.ts';
import type { UploadedFile } from '../route.ts';
import { newUploadFolder } from '../upload-folders.ts';
import { checkStorable } from './json-body.ts';
import { createValidator } from './validation.ts';

export interface Form {
  fields: unknown;
  files: Readonly<Record<string, UploadedFile>>;
  discard(): Promise<void>;
}

const MOST_FIELDS = 100;
/** Unless the schema of a field allows more. */
const MOST_FIELD_BYTES = 64 * 1024;

export async function acceptForms(scope: FastifyInstance): Promise<void> {
  const { default: multipart } = await import('@fastify/multipart');
  scope.removeAllContentTypeParsers();
  // The body is left unread: once the caller is known, the form reader refuses it with its own message.
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  await scope.register(multipart, { throwFileSizeLimit: false });
}

/**
 * Reads the forms of one route: files are streamed to disk, into a new folder below `folder`, up to their limit. 415 for
 * another media type, 400 for a form that breaks off, 422 for parts that are missing, unknown, duplicated or of the wrong
 * kind, and the contract's `tooLarge` for a part or form over its limit.
 */
export function createFormReader(contract: Contract, folder: string) {
  const checkFields = createValidator(contract.body, 'form');
  const names = Object.keys(contract.files);
  const limits = {
    fileSize: Math.max(...Object.values(contract.files).map(({ maxBytes }) => maxBytes)),
    files: names.length + 1,
    fields: MOST_FIELDS,
    fieldSize: mostFieldBytes(contract),
    parts: MOST_FIELDS + names.length + 1,
  };

  return async (request: FastifyRequest): Promise<Form> => {
    if (!request.isMultipart())
      throw new HttpError(415, 'Send the body as Content-Type: multipart/form-data', { code: 'not_a_form' });
    if (Number(request.headers['content-length'] ?? 0) > contract.bodyLimit) throw formTooLarge(contract);
    const { path: target, discard } = await newUploadFolder(folder);
    try {
      const reading = new AbortController();
      const received = receive(request.parts({ limits }), contract, { target, signal: reading.signal });
      // This must come last: parts that are counted before they have a reader would be lost.
      const { fields, files } = await Promise.race([received, cutShort(request.raw, contract, reading)]);
      for (const [name, { optional }] of Object.entries(contract.files))
        if (!optional && files[name] === undefined) throw refusal(name, 'is required: send it as a file');
      checkStorable(fields);
      checkFields(fields);
      return { fields, files, discard };
    } catch (error) {
      // The rest of the request must leave the connection, or the next one on it would wait for ever.
      request.raw.unpipe();
      request.raw.resume();
      await discard();
      throw toHttpError(error, contract);
    }
  };
}

/** Of the largest one. */
function mostFieldBytes({ body }: Contract): number {
  const { properties = {} } = body as { properties?: Record<string, { maxLength?: number }> };
  return Math.max(MOST_FIELD_BYTES, ...Object.values(properties).map(({ maxLength = 0 }) => maxLength));
}

/**
 * Rejects, and stops the reader, when a form of unstated length exceeds its limit, whichever parts the bytes belong to,
 * and when its caller has gone: the reader does not notice a caller who left before it began.
 */
function cutShort(raw: IncomingMessage, contract: Contract, reading: AbortController): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (reason: HttpError) => {
    reject(reason);
    reading.abort();
  };
  let came = 0;
  raw.on('data', (chunk: Buffer) => {
    came += chunk.length;
    if (came > contract.bodyLimit) end(formTooLarge(contract));
  });
  const whenClosed = () => {
    if (!raw.complete) end(brokenForm());
  };
  if (raw.destroyed) whenClosed();
  else raw.once('close', whenClosed);
  return promise;
}

interface Destination {
  target: string;
  /** Aborts the write of the current file. */
  signal: AbortSignal;
}

async function receive(parts: AsyncIterable<Multipart>, contract: Contract, { target, signal }: Destination) {
  const fields: Record<string, unknown> = {};
  const files: Record<string, UploadedFile> = {};
  for await (const part of parts) {
    const name = part.fieldname ?? '';
    const field = Object.hasOwn(contract.files, name) ? contract.files[name] : undefined;
    if (Object.hasOwn(fields, name) || Object.hasOwn(files, name))
      throw refusal(name, 'may be sent only once');
    if (part.type === 'file') {
      if (field === undefined) throw refusal(name, 'is not a file field of this form');
      const path = join(target, String(Object.keys(files).length));
      files[name] = await save(part, field, contract, { target: path, signal });
    } else {
      if (field !== undefined) throw refusal(name, 'must be a file');
      if (part.valueTruncated) throw tooLarge(contract, name, mostFieldBytes(contract));
      fields[name] = part.value;
    }
  }
  return { fields, files };
}

async function save(
  part: MultipartFile,
  field: FileField,
  contract: Contract,
  { target: path, signal }: Destination,
): Promise<UploadedFile> {
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(part.file, target, { signal });
  const size = target.bytesWritten;
  if (part.file.truncated || size > field.maxBytes) throw tooLarge(contract, part.fieldname, field.maxBytes);
  return { path, size, filename: part.filename ?? '', mediaType: part.mimetype };
}

const formTooLarge = ({ tooLarge: status, bodyLimit }: Contract): HttpError =>
  new HttpError(status, `The form is larger than the ${inWords(bodyLimit)} that this route takes`, {
    code: 'too_large',
  });

function tooLarge({ tooLarge: status }: Contract, name: string, most: number): HttpError {
  const message = `must be at most ${inWords(most)}`;
  return new HttpError(status, `form field '${name}' ${message}`, {
    code: 'too_large',
    errors: [{ field: name, message }],
  });
}

const inWords = (bytes: number): string =>
  bytes >= 1024 * 1024
    ? `${Math.floor(bytes / 1024 / 1024)} MB`
    : bytes >= 1024
      ? `${Math.floor(bytes / 1024)} kB`
      : `${bytes} bytes`;

function refusal(name: string, message: string): HttpError {
  const field = name.slice(0, 200);
  return invalid(`form field '${field}' ${message}`, {
    code: 'invalid_request',
    errors: [{ field, message }],
  });
}

/** Faults of the form become refusals; faults of the disk are passed on. */
function toHttpError(error: unknown, contract: Contract): unknown {
  if (error instanceof HttpError || !(error instanceof Error)) return error;
  if (isDiskFull(error)) return unavailable('The disk is full: the upload was not kept', 30);
  const code = 'code' in error ? String(error.code) : '';
  if (/^FST_(?:PARTS|FILES|FIELDS)_LIMIT$/.test(code))
    return new HttpError(contract.tooLarge, 'The form has more parts than this route takes', {
      code: 'too_large',
    });
  if ('syscall' in error && (error.syscall === 'open' || error.syscall === 'write')) return error;
  return brokenForm();
}

const brokenForm = () =>
  badRequest('The form is broken or ended too early: send it again', { code: 'invalid_form' });
