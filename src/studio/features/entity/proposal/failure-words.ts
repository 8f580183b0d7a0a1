import { codeOf, detailOf } from '../../../data/errors.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { proposalTexts } from './proposal-texts.ts';

/** Says why a model could not be asked, or a proposal not be taken over; rare reasons in the words of the service. */
export function useFailureWords(): (error: unknown) => string {
  const { failures, failed } = useTexts(proposalTexts);
  const known: Readonly<Record<string, string>> = failures;
  return (error) => known[codeOf(error) ?? ''] ?? detailOf(error) ?? failed;
}
