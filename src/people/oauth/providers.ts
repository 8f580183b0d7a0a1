import { conflict, notFound } from '../../kit/errors.ts';
import type { OAuthProvider, OAuthStorage } from '../../platform/oauth/oauth.ts';

/** The supported providers, with the setting that enables each. */
const SETTINGS: Readonly<Record<string, string>> = {
  google: 'OAUTH_GOOGLE_CLIENT_ID',
  github: 'OAUTH_GITHUB_CLIENT_ID',
};

export interface Providers {
  list: readonly OAuthProvider[];
  /** 404 for an unknown provider, 409 for one that is not configured. */
  find(id: string): OAuthProvider;
  /** The same, but also 404 for a provider that stores no files. */
  storageOf(id: string): OAuthStorage;
  /** The one that keeps users' files; null if none is configured. */
  readonly drive: OAuthProvider | null;
}

/** The providers that the settings configure. */
export function createProviders(list: readonly OAuthProvider[]): Providers {
  function find(id: string): OAuthProvider {
    const provider = list.find((each) => each.id === id);
    if (provider) return provider;
    if (!Object.hasOwn(SETTINGS, id))
      throw notFound(`There is no provider ${id}`, { code: 'unknown_provider' });
    throw conflict(`Sign-in with ${id} is not set up (setting ${SETTINGS[id]})`, { code: 'not_configured' });
  }

  return {
    list,
    find,
    drive: list.find(({ storage }) => storage !== null) ?? null,
    storageOf(id) {
      const { storage, label } = find(id);
      if (storage) return storage;
      throw notFound(`${label} keeps no files that could be connected`, { code: 'no_storage' });
    },
  };
}
