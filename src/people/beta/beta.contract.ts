import { createBetaCodes, extendBeta, listBetaCodes, revokeBetaCode } from './codes.contract.ts';
import { listBetaFeedback, sendBetaFeedback, updateBetaFeedback } from './feedback.contract.ts';
import { redeemBetaCode, validateBetaCode } from './redeem.contract.ts';
import { betaStats } from './stats.contract.ts';
import { confirmWaitlistPlace, joinBetaWaitlist, showWaitlistPlace } from './waitlist.contract.ts';
import { listBetaWaitlist, promoteBetaWaitlist } from './waitlist-management.contract.ts';

/** All routes of the beta programme, for surfaces that ask another one to serve them. */
export const betaContracts = [
  createBetaCodes,
  listBetaCodes,
  validateBetaCode,
  redeemBetaCode,
  revokeBetaCode,
  extendBeta,
  betaStats,
  sendBetaFeedback,
  listBetaFeedback,
  updateBetaFeedback,
  joinBetaWaitlist,
  showWaitlistPlace,
  confirmWaitlistPlace,
  listBetaWaitlist,
  promoteBetaWaitlist,
] as const;
