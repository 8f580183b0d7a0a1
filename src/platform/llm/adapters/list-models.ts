import { LlmError, type ModelAddress } from '../llm.ts';

const MOST_NAMES = 1_000;
const ANTHROPIC_VERSION = '2023-06-01';

/** The library has no call for it. Throws like one of its calls. */
export async function listModels(address: ModelAddress, fetch: typeof globalThis.fetch): Promise<string[]> {
  const response = await fetch(`${address.baseUrl.replace(/\/+$/, '')}/models`, {
    headers: keyHeaders(address),
  });
  const text = await response.text();
  if (!response.ok)
    throw {
      statusCode: response.status,
      responseBody: text,
      responseHeaders: Object.fromEntries(response.headers),
    };
  const names = namesIn(text);
  if (names === null) throw new LlmError('bad_answer', 'The list of models is not one that is known here');
  return names.slice(0, MOST_NAMES);
}

function keyHeaders({ kind, apiKey }: ModelAddress): Record<string, string> {
  if (kind === 'anthropic')
    return { 'anthropic-version': ANTHROPIC_VERSION, ...(apiKey !== null && { 'x-api-key': apiKey }) };
  return apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
}

function namesIn(text: string): string[] | null {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    if (!Array.isArray(data)) return null;
    return data.flatMap(({ id }: { id?: unknown }) => (typeof id === 'string' ? [id] : []));
  } catch {
    return null;
  }
}
