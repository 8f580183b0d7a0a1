import type { Contract } from '../kit/contract.ts';
import { betaContracts } from '../people/beta/beta.contract.ts';
import {
  goToPortal,
  listInvoices,
  listPurchases,
  openCheckout,
  openPortal,
  purchaseTokens,
} from '../people/billing/payments.contract.ts';
import { listPrices, listTokenBlocks } from '../people/billing/prices.contract.ts';
import {
  changeSubscription,
  getBillingStatus,
  getSubscription,
} from '../people/billing/subscription.contract.ts';
import { receiveBillingEvent } from '../people/billing/webhook.contract.ts';
import {
  consumeCredits,
  consumeTokens,
  getCredits,
  setTeamQuota,
  setUserQuota,
} from '../people/credits/credits.contract.ts';
import { getUsage, getUsageHistory, listBillingMembers } from '../people/credits/usage.contract.ts';

/** Routes that cores of a cloud serve by asking the accounts service. */
export const MONEY_CONTRACTS: readonly Contract[] = [
  listPrices,
  getSubscription,
  changeSubscription,
  openCheckout,
  openPortal,
  goToPortal,
  getBillingStatus,
  listInvoices,
  listTokenBlocks,
  purchaseTokens,
  listPurchases,
  receiveBillingEvent,
  getCredits,
  consumeCredits,
  consumeTokens,
  getUsage,
  getUsageHistory,
  setTeamQuota,
  listBillingMembers,
  setUserQuota,
  ...betaContracts,
];
