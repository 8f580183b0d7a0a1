import type { FeatureOverrides } from '../../access/entitlements.ts';
import type { PlanName } from '../../access/plans.ts';
import type { Clock } from '../../kit/clock.ts';
import { invalidField, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Letters } from '../letters/index.ts';
import type { CodeRow } from './beta.tables.ts';
import { type CodeFilter, createCodeStore, insertCodes, stateOf } from './codes.store.ts';
import { hashOfCode, hintOf, newCode } from './codes.ts';
import { codeMail } from './mails.ts';
import type { CodeState } from './states.contract.ts';

export interface CodesOptions {
  database: Database;
  clock: Clock;
  letters: Letters;
  /** The address for browsers, used for links in mail. */
  publicUrl: string;
}

/** The gifts of a code, and how many people get them. */
export interface NewCodes {
  maxUses: number;
  expiresAtMs: number | null;
  plan: PlanName;
  days: number;
  credits: number;
  features: FeatureOverrides;
  cohort: string | null;
  note: string | null;
  email: string | null;
  createdBy: string | null;
}

export interface MadeCode {
  /** Shown now and never again. */
  code: string;
  row: CodeRow;
}

export interface ListedCode extends CodeRow {
  state: CodeState;
}

export function makeCode(input: NewCodes, nowMs: number): MadeCode {
  const code = newCode();
  const row: CodeRow = {
    code_id: newId(),
    code_hash: hashOfCode(code),
    hint: hintOf(code),
    max_uses: input.maxUses,
    uses: 0,
    plan: input.plan,
    days: input.days,
    credits: input.credits,
    features: JSON.stringify(input.features),
    cohort: input.cohort,
    note: input.note,
    email: input.email,
    created_by: input.createdBy,
    created_at: nowMs,
    expires_at: input.expiresAtMs,
    revoked_at: null,
  };
  return { code, row };
}

/** Which code is meant: by itself, or by the id that lists show. */
export type NamedCode = { code: string } | { codeId: string };

export function createCodes({ database, clock, letters, publicUrl }: CodesOptions) {
  const store = createCodeStore(database.system);

  return {
    /** An address gets its code by mail once the code is stored. 422 for several codes to one address, and for an end in the past. */
    async make(count: number, input: NewCodes): Promise<MadeCode[]> {
      const { email, days, expiresAtMs } = input;
      const nowMs = clock.now();
      if (email !== null && count !== 1) throw invalidField('email', 'can be given one code alone');
      if (expiresAtMs !== null && expiresAtMs <= nowMs)
        throw invalidField('expires_at', 'must lie in the future');
      const made = Array.from({ length: count }, () => makeCode(input, nowMs));
      await database.system.write(async (db) => {
        await insertCodes(
          db,
          made.map(({ row }) => row),
        );
        if (email !== null)
          for (const { code } of made)
            await letters.add(db, codeMail(email, { code, days, expiresAtMs, publicUrl }));
      });
      if (email !== null) letters.soon();
      return made;
    },

    async page(filter: CodeFilter, page: { offset: number; limit: number }) {
      const nowMs = clock.now();
      const { total, rows } = await store.page(filter, { ...page, nowMs });
      return { total, codes: rows.map((row): ListedCode => ({ ...row, state: stateOf(row, nowMs) })) };
    },

    /** Null for every code that cannot be used, whatever the reason. */
    async usable(code: string): Promise<CodeRow | null> {
      const row = await store.find('code_hash', hashOfCode(code));
      return row !== null && stateOf(row, clock.now()) === 'active' ? row : null;
    },

    /** In any state. 404 if there is none. */
    async named(named: NamedCode): Promise<CodeRow> {
      const row = await ('code' in named
        ? store.find('code_hash', hashOfCode(named.code))
        : store.find('code_id', named.codeId));
      if (row === null) throw notFound('There is no such code', { code: 'code_not_found' });
      return row;
    },
  };
}

export type Codes = ReturnType<typeof createCodes>;
