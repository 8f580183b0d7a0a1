import '../theme/tokens.css';
import './harness.css';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type MergeMessages, MergeView } from './merge-view.tsx';

const messages: MergeMessages = {
  mine: 'Yours',
  theirs: 'Bo’s',
  base: 'What was common',
  differences: (count) => `${count} differences`,
  next: 'Next',
  previous: 'Previous',
  takeOther: 'Take this',
  takeBoth: 'Take both',
};

const texts = {
  base: 'One.\r\nTwo.\r\nThree.\r\nFour.\r\nFive.\r\nGap.\r\nSix.',
  mine: 'One, mine.\r\nTwo.\r\nThree, mine.\r\nFour.\r\nFive.\r\nGap.\r\nSix, mine.',
  theirs: 'One.\nTwo.\nThree, by Bo.\nFour.\nFive, by Bo.\nGap.\nSix, by Bo.',
};

function Page() {
  const [text, setText] = useState('');
  return (
    <>
      <MergeView texts={texts} language="en" messages={messages} onChange={setText} />
      <output>{JSON.stringify(text)}</output>
    </>
  );
}

const root = document.querySelector('#root');
if (root) createRoot(root).render(<Page />);
