import { invalid } from '../../kit/errors.ts';
import type { Receivers } from '../../platform/outgoing/receivers.ts';

/** Throws 422 for a forbidden address. */
export type CheckAddress = (text: string) => Promise<void>;

const refused = (message: string) =>
  invalid(`The address cannot be used: ${message}`, {
    code: 'invalid_address',
    errors: [{ field: 'url', message }],
  });

export const createCheckAddress =
  ({ secureOnly, refusalOf }: Pick<Receivers, 'secureOnly' | 'refusalOf'>): CheckAddress =>
  async (text) => {
    const url = URL.parse(text);
    const schemes = secureOnly ? ['https:'] : ['http:', 'https:'];
    if (url === null || !schemes.includes(url.protocol))
      throw refused(`it must begin with ${secureOnly ? 'https://' : 'http:// or https://'}`);
    if (url.username !== '' || url.password !== '')
      throw refused('it must hold no name and password: check the signature instead');
    const refusal = await refusalOf(url);
    if (refusal !== null) throw refused(refusal);
  };
