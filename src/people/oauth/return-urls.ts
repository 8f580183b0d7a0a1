import { conflict, invalid } from '../../kit/errors.ts';

export interface ReturnUrls {
  /** The address that was asked for, else the start page. 422 for one that nobody allowed. */
  checked(text: string | undefined): string;
  /** The same for apps, which have no start page: else the first that the settings name. 409 where they name none. */
  checkedForApp(text: string | undefined): string;
  /** Whether it is a page of this service, which shares its cookies. */
  isOwn(url: string): boolean;
}

/**
 * Where people may be sent: pages of this service and what OAUTH_RETURN_URLS names. Nothing else, or a link to us would
 * lead wherever its author likes, and codes with it.
 */
export function createReturnUrls(publicUrl: string, allowed: readonly string[]): ReturnUrls {
  const { origin, protocol } = new URL(publicUrl);
  const isOwn = (text: string): boolean => {
    const url = URL.parse(text);
    // `blob:` addresses have the origin of what stands in them.
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

/** The address with one more parameter. */
export function withParameter(url: string, name: string, value: string): string {
  const result = new URL(url);
  result.searchParams.set(name, value);
  return result.href;
}
