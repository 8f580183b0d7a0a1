import { type Route, route } from '../../kit/route.ts';
import type { Attempts } from './attempts.ts';
import { resetForgottenPassword } from './password-resets.contract.ts';
import type { PasswordResets } from './password-resets.service.ts';

export interface PasswordResetOptions {
  resets: PasswordResets;
  attempts: Pick<Attempts, 'noteOwner'>;
}

/** Accepts tokens for a new password, however they were handed out. */
export const passwordResetRoutes = ({ resets, attempts }: PasswordResetOptions): Route[] => [
  route(resetForgottenPassword, async ({ body, address }) => {
    const { email } = await resets.reset(body.token, body.new_password);
    await attempts.noteOwner(email, address);
    return { message: 'The password was changed: sign in with it' };
  }),
];
