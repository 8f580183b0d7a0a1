import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

const VIOLATION = 'Content security policy:';

/**
 * Grows by each error that the page logs or throws, and by each breach of its content security policy, from its next
 * navigation on.
 */
export async function collectFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  await page.addInitScript((violation) => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(violation, event.violatedDirective, event.blockedURI, event.sample);
    });
  }, VIOLATION);
  return faults;
}

/** @param expected patterns of those that the test causes on purpose */
export function assertNoFaults(faults: readonly string[], expected: readonly RegExp[] = []): void {
  const unexpected = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
  assert.deepEqual(unexpected, [], 'the page had faults');
}
