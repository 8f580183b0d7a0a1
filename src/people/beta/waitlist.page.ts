import { formPage } from '../../kit/http/form-page.ts';
import { escapedHtml } from '../../kit/http/html.ts';
import type { Reply } from '../../kit/route.ts';
import type { WaitlistPlace } from './waitlist.service.ts';

/** The form is sent to the page's own address, which contains the token. */
export function placePage({ state, position, referralCode }: WaitlistPlace): Reply {
  if (state === 'unconfirmed')
    return formPage(
      'Do you want a place?',
      `<p>Somebody asked for a place in the beta programme of Canonry with your address. Press the button if that was you.</p>
<form method="post"><button>Yes, put me on the waitlist</button></form>`,
    );
  if (state === 'promoted')
    return formPage('You are in', '<p>A mail with your code is on its way, or has arrived already.</p>');
  return formPage(
    `You are number ${position} on the waitlist`,
    `<p>You move up when others join with your referral code <strong>${escapedHtml(referralCode)}</strong> and confirm their address.</p>`,
  );
}

/** `reason` must be our own text. */
export const noPlacePage = (reason: string): Reply =>
  formPage('This link is no longer valid', `<p>${escapedHtml(reason)}.</p>`, 404);
