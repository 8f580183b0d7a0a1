import { describe } from 'node:test';
import { createMapLedger } from '../../test/support/credit-ledger.ts';
import { creditLedgerConformance, creditsConformance } from './credits.conformance.ts';
import { unlimitedCredits } from './credits.ts';

describe('without a limit', () => creditsConformance(async () => unlimitedCredits));
describe('books in a map', () => creditLedgerConformance(async () => createMapLedger()));
