import { randomInt } from 'node:crypto';
import { sha256Hex } from '../../kit/crypto.ts';

/** Digits and letters that nobody mistakes for others: no 0, O, 1, I, L and U. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 5;
const GROUP_LENGTH = 4;
const REFERRAL_LENGTH = 8;

const randomLetters = (count: number): string =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** 98 random bits, such as `7KQM-X2RD-94HV-TBYC-E3WN`. */
export const newCode = (): string =>
  Array.from({ length: GROUPS }, () => randomLetters(GROUP_LENGTH)).join('-');

/** Not a secret: it says who recommended somebody. */
export const newReferralCode = (): string => randomLetters(REFERRAL_LENGTH);

/** The typed code without spaces, dashes and differences of case. */
export const normalisedCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');

/** Only this is stored. A code is too random to be found by guessing at hashes. */
export const hashOfCode = (typed: string): string => sha256Hex(normalisedCode(typed));

/** The last group, by which those who made a code recognise it. */
export const hintOf = (code: string): string => code.slice(-GROUP_LENGTH);
