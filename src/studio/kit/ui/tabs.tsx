import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
import styles from './tabs.module.css';

export interface TabItem {
  id: string;
  label: string;
  count?: number | undefined;
  /** The address of the tab, if it has one of its own. */
  href?: string;
}

export interface TabsProps {
  label: string;
  tabs: readonly TabItem[];
  selected: string;
  onSelect?: (id: string) => void;
  /** Beside the tabs. */
  end?: ReactNode;
  /** The content of the selected one. */
  children: ReactNode;
}

export const Tabs = ({ label, tabs, selected, onSelect, end, children }: TabsProps) => (
  <AriaTabs
    className={styles.tabs ?? ''}
    selectedKey={selected}
    onSelectionChange={(id) => onSelect?.(String(id))}
    keyboardActivation="manual"
  >
    <div className={styles.bar}>
      <TabList aria-label={label} className={styles.list ?? ''}>
        {tabs.map((tab) => (
          <Tab
            key={tab.id}
            id={tab.id}
            className={styles.tab ?? ''}
            {...(tab.href !== undefined && { href: tab.href })}
          >
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </Tab>
        ))}
      </TabList>
      {end && <div className={styles.end}>{end}</div>}
    </div>
    <TabPanel id={selected} className={styles.panel ?? ''}>
      {children}
    </TabPanel>
  </AriaTabs>
);
