import './kit/theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { keepShell } from './data/offline-shell.ts';

const place = document.getElementById('studio');
if (!place) throw new Error('index.html has no place for the app');
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

// Without it the app only needs the service to open.
window.addEventListener('load', () => void keepShell().catch(() => undefined));
