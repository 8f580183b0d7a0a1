import { conflict, invalid } from '../../kit/errors.ts';

export interface ReturnUrls {
  /** The requested address, or the start page by default. 422 for an address that is not allowed. */
  checked(text: string | undefined): string;
  /** For apps, which have no start page: the default is the first address in the settings. 409 if there is none. */
  checkedForApp(text: string | undefined): string;
  /** True for a page of this service, which shares its cookies. */
  isOwn(url: string): boolean;
}

/**
 * Allowed destinations: pages of this service and those in OAUTH_RETURN_URLS. Otherwise a link to us could send people, and codes
 * with them, wherever its author likes.
 */
export function createReturnUrls(publicUrl: string, allowed: readonly string[]): ReturnUrls {
  const { origin, protocol } = new URL(publicUrl);
  const isOwn = (text: string): boolean => {
    const url = URL.parse(text);
    // A `blob:` URL has the origin of the address inside it.
    return url?.origin === origin && url.protocol === protocol;
  };

  function checked(text = '/'): string {
    const url = URL.parse(text, publicUrl);
    const fits = url !== null && (isOwn(url.href) || allowed.includes(url.href));
    if (url !== null && fits && url.username + url.password === '') return url.href;
    const message = 'must be a page of this service or one of the setting OAUTH_RETURN_URLS';
    throw invalid(`return_to ${message}`, {
      code: 'invalid_return_to',
      errors: [{ field: 'return_to', message }],
    });
  }

  return {
    checked,
    checkedForApp(text) {
      const url = text ?? allowed.find((each) => !/^https?:/.test(each));
      if (url !== undefined) return checked(url);
      throw conflict('No app is set up to come back to (setting OAUTH_RETURN_URLS)', {
        code: 'not_configured',
      });
    },
    isOwn,
  };
}

export function withParameter(url: string, name: string, value: string): string {
  const result = new URL(url);
  result.searchParams.set(name, value);
  return result.href;
}
