import { useEffect, useState } from 'react';
import { detailOf } from '../../data/errors.ts';
import { useSearch } from '../../data/search.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { findTexts } from './find-texts.ts';
import { FoundList } from './found-list.tsx';
import { NothingFound } from './nothing-found.tsx';

const TYPING_PAUSE_MS = 200;
/** As long as the service takes. */
const LONGEST = 400;

/** Search over everything; the words stand in the address, so that a search can be sent. */
export function Find({ asked }: { asked: string }) {
  const texts = useTexts(findTexts);
  const { project } = useWorld();
  const text = asked.trim().slice(0, LONGEST);
  const { data, error, refetch } = useSearch(project, text);
  const isIdle = text === '';
  return (
    <Page title={isIdle ? texts.title : texts.titleFor(text)}>
      <SearchBox asked={asked} />
      {error && (
        <Notice tone="error" actions={<Button onPress={() => void refetch()}>{texts.retry}</Button>}>
          {detailOf(error) ?? texts.failed}
        </Notice>
      )}
      {!isIdle && !data && !error && <Skeleton lines={6} height="2.5rem" />}
      {!isIdle && data && data.matches.length > 0 && <FoundList found={data} />}
      {!isIdle && data?.matches.length === 0 && <NothingFound text={text} />}
    </Page>
  );
}

/** The address follows after a pause; going back in history brings the words of that time. */
function SearchBox({ asked }: { asked: string }) {
  const texts = useTexts(findTexts);
  const { project } = useWorld();
  const [typed, setTyped] = useState(asked);
  const [shown, setShown] = useState(asked);
  if (asked !== shown) {
    setShown(asked);
    setTyped(asked);
  }
  useEffect(() => {
    if (typed === asked) return;
    const address = addressOf({ screen: 'page', project, page: 'find', q: typed });
    const timer = setTimeout(() => goTo(address, { replace: true }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, asked, project]);
  return (
    <TextField
      label={texts.search}
      isLabelHidden
      placeholder={texts.search}
      help={asked === '' ? texts.hint : undefined}
      type="search"
      value={typed}
      onChange={setTyped}
      maxLength={LONGEST}
      autoFocus
    />
  );
}
