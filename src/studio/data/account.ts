let account: string | null = null;

/** Requests name this account from now on; null while nobody is signed in, or nobody is known to be. */
export function setAccount(id: string | null): void {
  account = id;
}

export const currentAccount = (): string | null => account;

let onOther = (): void => undefined;

/** Tells when the service answers that the browser's cookies are of another account than the page's. */
export function onOtherAccount(listener: () => void): void {
  onOther = listener;
}

export const tellOtherAccount = (): void => onOther();
