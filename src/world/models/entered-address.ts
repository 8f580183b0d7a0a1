import { invalidField } from '../../kit/errors.ts';
import type { Llms } from '../../platform/llm/llms.ts';

/** The address as it is stored; 422 unless it is one that a provider may have. */
export async function enteredAddress(
  text: string,
  { refusalOf, secureOnly }: Pick<Llms, 'refusalOf' | 'secureOnly'>,
): Promise<string> {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp)
    throw invalidField('base_url', 'must be an address that begins with http:// or https://');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw invalidField('base_url', 'must have no user, query or fragment: a key is sent as api_key');
  if (secureOnly && url.protocol !== 'https:') throw invalidField('base_url', 'must begin with https://');
  const refusal = await refusalOf(url);
  if (refusal !== null) throw invalidField('base_url', `is refused: ${refusal}`);
  return url.href.replace(/\/+$/, '');
}
