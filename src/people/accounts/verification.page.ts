import { formPage } from '../../kit/http/form-page.ts';
import { escapedHtml } from '../../kit/http/html.ts';
import type { Reply } from '../../kit/route.ts';

/** The form is sent to the page's own address, which contains the token. */
export function verificationPage({
  email,
  email_verified,
}: {
  email: string;
  email_verified: boolean;
}): Reply {
  const address = `<strong>${escapedHtml(email)}</strong>`;
  if (email_verified)
    return formPage(
      'Your address is verified',
      `<p>${address} is verified. <a href="/sign-in">Sign in to Canonry</a></p>`,
      200,
    );
  return formPage(
    'Is this your address?',
    `<p>Somebody gave ${address} for an account of Canonry. Press the button only if that was you: it would give the account to somebody else.</p>
<form method="post"><button>Yes, verify ${address}</button></form>`,
    200,
  );
}

/** `reason` must be our own text. */
export const expiredPage = (reason: string): Reply =>
  formPage('This link is no longer valid', `<p>${escapedHtml(reason)}.</p>`, 401);
