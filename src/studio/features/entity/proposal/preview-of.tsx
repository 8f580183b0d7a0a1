import type { Preview } from '../../../data/proposals.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import styles from './proposal.module.css';
import { proposalTexts } from './proposal-texts.ts';

/** The messages as they would be sent, what they are made from, and the most that they can cost. */
export function PreviewOf({ preview: { requests, price } }: { preview: Preview }) {
  const texts = useTexts(proposalTexts);
  return (
    <div className={styles.preview}>
      {requests.map(({ provider, model, messages, sources, cut }) => (
        <details key={provider} className={styles.sent}>
          <summary>{texts.sent(model)}</summary>
          <List title={texts.from} items={sources} />
          <List title={texts.cut} items={cut} />
          {messages.map(({ role, content }) => (
            <section key={content}>
              <h3 className={styles.heading}>{texts.roles[role]}</h3>
              <pre className={styles.message} dir="auto">
                {content}
              </pre>
            </section>
          ))}
        </details>
      ))}
      <p>{price === 0 ? texts.free : texts.price(price)}</p>
    </div>
  );
}

function List({ title, items }: { title: string; items: readonly { ref: string; label: string }[] }) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3 className={styles.heading}>{title}</h3>
      <ul className={styles.sources}>
        {items.map(({ ref, label }) => (
          <li key={ref} dir="auto">
            {label}
          </li>
        ))}
      </ul>
    </section>
  );
}
