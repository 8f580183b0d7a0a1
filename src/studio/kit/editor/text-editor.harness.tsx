import '../theme/tokens.css';
import './harness.css';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Editor } from './editor.ts';
import type { EditorMode, EntityNames } from './options.ts';
import { TextEditor } from './text-editor.tsx';
import { messages, names, pictures } from './world.harness.ts';

function Page() {
  const [text, setText] = useState('To [[character:miro]].\n\nEnd.');
  const [mode, setMode] = useState<EditorMode>('preview');
  const [readOnly, setReadOnly] = useState(false);
  const [known, setKnown] = useState<EntityNames>({ ...names, find: () => undefined });
  const [editor, setEditor] = useState<Editor | null>(null);
  return (
    <>
      <TextEditor
        ref={setEditor}
        text={text}
        label="Text"
        language="en"
        mode={mode}
        readOnly={readOnly}
        messages={messages}
        names={known}
        pictures={pictures}
        marks={[{ line: 3, severity: 'warning', message: 'A short one.' }]}
        onChange={setText}
        onMode={setMode}
        onCursor={() => undefined}
        onOpen={() => undefined}
        onMake={async () => null}
        onUpload={async () => 'images/map.png'}
        renderCard={({ id }) => <strong>Card of {id}</strong>}
      />
      <p>
        <button type="button" onClick={() => setReadOnly(true)}>
          Lock
        </button>
        <button type="button" onClick={() => setKnown(names)}>
          Names arrive
        </button>
        <button type="button" onClick={() => editor?.applyRemote(`Bo: ${text}`, text)}>
          Bo saves
        </button>
      </p>
      <output>{`${mode}: ${text}`}</output>
    </>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
