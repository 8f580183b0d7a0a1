import '../theme/base.css';
import { type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Avatar } from './avatar.tsx';
import { Badge } from './badge.tsx';
import { Button, IconButton } from './button.tsx';
import { ColorMark } from './color-mark.tsx';
import { Dialog, Sheet } from './dialog.tsx';
import { EmptyState } from './empty-state.tsx';
import styles from './gallery.module.css';
import { Icon } from './icons.tsx';
import { LinkButton, TextLink } from './link.tsx';
import { announce } from './live-region.tsx';
import { Menu } from './menu.tsx';
import { Notice } from './notice.tsx';
import { Popover } from './popover.tsx';
import { Skeleton } from './skeleton.tsx';
import { Tabs } from './tabs.tsx';
import { TextArea } from './text-area.tsx';
import { TextField } from './text-field.tsx';
import { UiProvider } from './ui-provider.tsx';

declare global {
  interface Window {
    /** The values that the controls gave, the newest last. */
    given: unknown[];
  }
}
window.given = [];
const give = (value: unknown) => window.given.push(value);

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section} aria-label={title}>
    <h2 className={styles.title}>{title}</h2>
    {children}
  </section>
);

const Row = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>;

function Buttons() {
  return (
    <Section title="Buttons">
      <Row>
        <Button tone="primary" onPress={() => give('saved')}>
          Save
        </Button>
        <Button onPress={() => give('plain')}>History</Button>
        <Button tone="danger">Delete for good</Button>
        <Button tone="quiet" icon={<Icon name="plus" />}>
          Add a field
        </Button>
        <IconButton label="More" icon={<Icon name="more" />} tone="plain" />
      </Row>
      <Row>
        <Button size="s">Small</Button>
        <Button size="l" tone="primary">
          Large
        </Button>
        <Button isDisabled onPress={() => give('disabled')}>
          Disabled
        </Button>
        <LinkButton href="#there">Go there</LinkButton>
        <TextLink href="#bell">Bell Stair</TextLink>
      </Row>
    </Section>
  );
}

function Marks() {
  return (
    <Section title="Marks">
      <Row>
        <Badge tone="success">active</Badge>
        <Badge>draft</Badge>
        <Badge tone="warning">needs work</Badge>
        <Badge tone="error">3</Badge>
        <Badge tone="info">review</Badge>
        <Badge tone="primary">new</Badge>
      </Row>
      <Row>
        <Avatar id="u1" name="Ada Lovelace" />
        <Avatar id="u2" name="Bo" />
        <Avatar id="u3" name="Çelik Ömer" size="l" />
        <Avatar id="u4" name="" size="s" />
        <ColorMark color="#C8553D" />
        <ColorMark color="#3F6E8C" />
        <ColorMark />
      </Row>
    </Section>
  );
}

function Texts() {
  const [name, setName] = useState('Mira Vale');
  const [text, setText] = useState('A tide reader’s daughter who trusts numbers more than people.');
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    give(value);
  };
  return (
    <Section title="Text fields">
      <TextField label="Name" value={name} onChange={change(setName)} isRequired help="As people call her" />
      <TextArea
        label="Summary"
        value={text}
        onChange={change(setText)}
        more={<Avatar id="u2" name="Bo" size="s" />}
      />
      <TextField
        label="Stakes"
        value=""
        onChange={give}
        placeholder="What they lose, and who pays with them"
      />
      <TextField label="Wrong" value="12th" onChange={give} error="This is no number. Write 12." />
      <TextField label="Disabled" value="Not now" onChange={give} isDisabled />
      <TextField label="Read only" value="As it is" onChange={give} isReadOnly />
    </Section>
  );
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'alert' | 'sheet'>();
  const close = () => setOpen(undefined);
  return (
    <Section title="Overlays">
      <Row>
        <Button onPress={() => setOpen('dialog')}>Open dialog</Button>
        <Button onPress={() => setOpen('alert')}>Open alert</Button>
        <Button onPress={() => setOpen('sheet')}>Open sheet</Button>
        <Menu
          label="Actions"
          trigger={<Button>Open menu</Button>}
          items={[
            { id: 'rename', label: 'Rename', detail: 'F2', onSelect: () => give('rename') },
            { id: 'move', label: 'Move', isDisabled: true, onSelect: () => give('move') },
            {
              label: 'Dangerous',
              items: [{ id: 'delete', label: 'Delete', isDanger: true, onSelect: () => give('delete') }],
            },
          ]}
        />
        <Popover label="Who is here" trigger={<Button>Open popover</Button>}>
          {(shut) => <Button onPress={shut}>Shut popover</Button>}
        </Popover>
      </Row>
      <Dialog
        title="New character"
        isOpen={open === 'dialog'}
        onClose={close}
        closeLabel="Close"
        actions={
          <>
            <Button onPress={close}>Cancel</Button>
            <Button tone="primary" onPress={close}>
              Make
            </Button>
          </>
        }
      >
        <TextField label="Its name" value="" onChange={give} autoFocus />
      </Dialog>
      <Dialog
        title="Delete Mira Vale?"
        isAlert
        isOpen={open === 'alert'}
        onClose={close}
        closeLabel="Close"
        actions={<Button onPress={close}>Keep</Button>}
      >
        22 places refer to her.
      </Dialog>
      <Sheet title="Orla Fenn" isOpen={open === 'sheet'} onClose={close} closeLabel="Close">
        <p>Keeper of the bell.</p>
      </Sheet>
    </Section>
  );
}

function States() {
  return (
    <Section title="States">
      <Notice>41 entities looked at, nothing contradicts itself.</Notice>
      <Notice tone="success">Imported 12 notes.</Notice>
      <Notice tone="warning" actions={<Button size="s">Show both</Button>}>
        Bo changed the same 2 lines. Both texts are kept.
      </Notice>
      <Notice tone="error" close={{ label: 'Close the message', onPress: () => give('closed') }}>
        The file cannot be read: line 12 has a tab.
      </Notice>
      <Skeleton lines={3} />
      <EmptyState
        title="No characters yet"
        icon={<Icon name="image" size={32} />}
        actions={
          <Button tone="primary" onPress={() => announce('Made')}>
            Make the first
          </Button>
        }
      >
        A person, creature or machine with a will of its own.
      </EmptyState>
    </Section>
  );
}

function TabsSection() {
  const [tab, setTab] = useState('text');
  return (
    <Section title="Tabs">
      <Tabs
        label="Parts"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'text', label: 'Text & fields' },
          { id: 'references', label: 'References', count: 22 },
          { id: 'assets', label: 'Assets', count: 4 },
        ]}
      >
        <p className={styles.panel}>Here is {tab}</p>
      </Tabs>
    </Section>
  );
}

const Gallery = () => (
  <UiProvider locale={navigator.language} navigate={(href) => give(href)}>
    <h1 className={styles.heading}>Gallery</h1>
    <div className={styles.columns}>
      <Buttons />
      <Texts />
      <Marks />
      <Overlays />
      <TabsSection />
      <States />
    </div>
  </UiProvider>
);

const root = document.querySelector('#root');
if (root) createRoot(root).render(<Gallery />);
