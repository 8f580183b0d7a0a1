import { messageOf } from '../../../kit/errors.ts';
import { cutAfter } from '../../../text/cut.ts';
import { ADDRESS_REFUSED } from '../../outgoing/outgoing.ts';
import { LlmError, type LlmFailure, type ModelAddress } from '../llm.ts';

const MOST_SHOWN = 200;
const SECOND_MS = 1_000;

/** The libraries' words about a reply that they did not like; the two differ in where they put them. */
interface Complaint {
  status: number | null;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Puts any failure of a library into words that may be shown: without key, headers and request. */
export function toLlmError(error: unknown, address: ModelAddress): LlmError {
  if (error instanceof LlmError) return error;
  const complaint = complaintOf(error);
  if (complaint.status !== null) return fromStatus(complaint, complaint.status, address);
  const refusal = inCauses(error, ({ code }) => code === ADDRESS_REFUSED);
  if (refusal) return new LlmError('unreachable', messageOf(refusal));
  if (isLost(error)) return new LlmError('unreachable', `The connection to ${hostOf(address)} was lost`);
  const unreachable = inCauses(error, ({ code, syscall }) => syscall !== undefined || isNetworkCode(code));
  if (unreachable)
    return new LlmError(
      'unreachable',
      `${hostOf(address)} cannot be reached: ${words(unreachable, address)}`,
    );
  return new LlmError(
    'bad_answer',
    `${hostOf(address)} answers in a form that is not ${address.kind}: ${words(error, address)}`,
  );
}

/** True for an error that may be over soon, so that the request is worth repeating. */
export const isPassing = (error: unknown, { failure }: LlmError): boolean =>
  failure === 'busy' || (failure === 'unreachable' && isLost(error));

const isLost = (error: unknown): boolean =>
  inCauses(error, ({ code }) => code === 'ECONNRESET' || code === 'EPIPE') !== null;

function fromStatus({ headers, text }: Complaint, status: number, address: ModelAddress): LlmError {
  const said = shown(text, address);
  const about = `${hostOf(address)} answered ${status}${said === '' ? '' : `: ${said}`}`;
  return new LlmError(failureOf(status, text), about, retryAfterOf(headers['retry-after']));
}

const TOO_LONG = /context.{0,20}(?:length|window|size)|too (?:long|many tokens)|maximum.{0,20}tokens/i;
const NO_MODEL =
  /model.{0,80}(?:not found|not exist|not supported|unknown)|(?:no such|unknown|invalid) model/i;
/** OpenAI's answer, with 429, to an account without money: waiting does not help. */
const NO_MONEY = /insufficient_quota/;

/** A server may refuse a schema with any status, also as a model or a service that it does not have. */
const NO_SCHEMA = /response_?format|json_?schema|output_?(?:format|config)|structured.?output|grammar/i;

function failureOf(status: number, text: string): LlmFailure {
  if (status === 401 || status === 403) return 'refused_key';
  if (status !== 429 && NO_SCHEMA.test(text)) return 'refused';
  if (status === 404) return 'unknown_model';
  if (status === 413) return 'too_long';
  if (status === 429) return NO_MONEY.test(text) ? 'refused' : 'busy';
  if (status >= 500) return 'busy';
  if (status < 400) return 'bad_answer';
  if (TOO_LONG.test(text)) return 'too_long';
  return NO_MODEL.test(text) ? 'unknown_model' : 'refused';
}

function complaintOf(error: unknown): Complaint {
  const { statusCode, responseHeaders, responseBody, message, code } = fieldsOf(error);
  const isStatus = (value: unknown): value is number =>
    typeof value === 'number' && value >= 300 && value < 600;
  const status = [statusCode, code].find(isStatus) ?? null;
  const body = typeof responseBody === 'string' ? responseBody : '';
  return {
    status,
    headers: fieldsOf(responseHeaders) as Record<string, string>,
    text: [message, body]
      .filter((each) => typeof each === 'string' && each !== '')
      .join(' ')
      .trim(),
  };
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** A number of seconds, or a date. */
function retryAfterOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

const isNetworkCode = (code: unknown): boolean =>
  typeof code === 'string' && /^(?:E[A-Z]+|ERR_TLS.*|ERR_SSL.*|CERT_.*|.*CERT.*|HPE_.*)$/.test(code);

/** The first of an error and its causes that the test accepts. */
function inCauses(error: unknown, test: (fields: Record<string, unknown>) => boolean): Error | null {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1)
    if (test(fieldsOf(each))) return each;
  return null;
}

const hostOf = ({ baseUrl }: ModelAddress): string => new URL(baseUrl).host;

const words = (error: unknown, address: ModelAddress): string =>
  shown(error instanceof Error ? error.message : String(fieldsOf(error).message ?? error), address);

/** Providers may repeat the key in what they say. */
function shown(text: string, { apiKey }: ModelAddress): string {
  const safe = apiKey ? text.replaceAll(apiKey, '…') : text;
  return cutAfter(safe.replaceAll(/\s+/g, ' '), MOST_SHOWN);
}
