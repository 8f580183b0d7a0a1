import { describe } from 'node:test';
import { createMapLedger } from '../../test/support/credit-ledger.ts';
import { unlimitedCredits } from '../../test/support/unlimited-credits.ts';
import { creditLedgerConformance, creditsConformance } from './credits.conformance.ts';

describe('without a limit', () => creditsConformance(async () => unlimitedCredits));
describe('books in a map', () => creditLedgerConformance(async () => createMapLedger()));
