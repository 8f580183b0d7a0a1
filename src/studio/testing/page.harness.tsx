import { createRoot } from 'react-dom/client';
import '../kit/theme/tokens.css';
import { Button } from 'react-aria-components';

const root = document.querySelector('#root');
if (root) createRoot(root).render(<Button onPress={() => (document.title = 'pressed')}>Press</Button>);
