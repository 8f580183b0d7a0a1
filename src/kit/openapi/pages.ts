import { SIGN_IN_FORM, SIGN_IN_SCRIPT, SIGN_IN_STYLE } from './sign-in-form.ts';

/** The two doc pages. All their scripts are files of this service: their policy allows nothing else. */

export interface DocsPage {
  html: string;
  policy: string;
  /** Own files of the page by name; packaged ones come from `assets.ts`. */
  files: Readonly<Record<string, { type: string; text: string }>>;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Both pages add style elements as they render, so inline styles are allowed; inline scripts are not. */
const policyWith = (...more: string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ');

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

interface HtmlParts {
  title: string;
  styles: string[];
  scripts: string[];
  header?: string;
}

const html = ({ title, styles, scripts, header = '' }: HtmlParts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
</head>
<body>
${header}
<main id="page" aria-label="${escapeHtml(title)}"><p class="wait">Loading the API description …</p></main>
<noscript><p>This page needs JavaScript. The description itself is at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
${scripts.map((src) => `<script src="${src}" defer></script>`).join('\n')}
</body>
</html>
`;

const SWAGGER_INIT = `${SIGN_IN_SCRIPT}const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
addEventListener('DOMContentLoaded', () => {
  const ui = SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#page',
    deepLinking: true,
    persistAuthorization: true,
    displayRequestDuration: true,
    filter: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
  addSignIn(ui);
});
`;

const SWAGGER_STYLE = `body { margin: 0; }
.wait { font: 1rem system-ui, sans-serif; padding: 2rem; }
html.dark-mode body { background: #1c2022; color: #e4e6e6; }
${SIGN_IN_STYLE}`;

/** Swagger UI at `/docs`: a token that was entered once stays until it is removed. */
export const swaggerPage = (title: string): DocsPage => ({
  html: html({
    title: `${title} – try the API`,
    styles: ['/docs/swagger-ui.css', '/docs/page.css'],
    scripts: ['/docs/swagger-ui-bundle.js', '/docs/init.js'],
    header: SIGN_IN_FORM,
  }),
  policy: policyWith(),
  files: {
    'init.js': { type: SCRIPT, text: SWAGGER_INIT },
    'page.css': { type: STYLE, text: SWAGGER_STYLE },
  },
});

const REDOC_INIT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const fonts = { fontFamily: 'system-ui, sans-serif', headings: { fontFamily: 'system-ui, sans-serif' } };
const night = {
  colors: {
    primary: { main: '#9db8ff' },
    success: { main: '#7fd6a2' },
    error: { main: '#ff9d9d' },
    text: { primary: '#e4e6e6', secondary: '#b6bcbf' },
    border: { dark: '#5a6268', light: '#3a4146' },
    responses: {
      success: { color: '#7fd6a2', backgroundColor: '#1d3327' },
      error: { color: '#ff9d9d', backgroundColor: '#3a2222' },
    },
  },
  schema: { nestedBackground: '#23282b', typeNameColor: '#b6bcbf', typeTitleColor: '#b6bcbf' },
  sidebar: { backgroundColor: '#16191b', textColor: '#e4e6e6' },
  rightPanel: {
    backgroundColor: '#101213',
    servers: { overlay: { backgroundColor: '#23282b', textColor: '#e4e6e6' }, url: { backgroundColor: '#1c2022' } },
  },
  typography: { code: { backgroundColor: '#2b3135', color: '#ffb8a8' }, links: { color: '#9db8ff', visited: '#c3a8ff' } },
};
const day = { typography: {} };
const draw = () => {
  const theme = dark.matches ? night : day;
  const options = {
    hideHostname: true,
    hideSchemaPattern: true,
    sortRequiredPropsFirst: true,
    theme: { ...theme, typography: { ...theme.typography, ...fonts } },
  };
  Redoc.init('/openapi.json', options, document.getElementById('page'));
};
addEventListener('DOMContentLoaded', draw);
dark.addEventListener('change', () => location.reload());
`;

/** In dark mode: colours that Redoc's theme cannot set. */
const REDOC_STYLE = `body { margin: 0; background: #fff; color: #333; }
.wait { font: 1rem system-ui, sans-serif; padding: 2rem; }
@media (prefers-color-scheme: dark) {
  body { background: #1c2022; color: #e4e6e6; }
  #page h5, #page h5 span { color: #b6bcbf !important; border-color: #3a4146 !important; }
  #page .react-tabs__tab--selected { background: #2b3135 !important; }
}
`;

/** Redoc at `/redoc`, for reading. Its search runs in a worker that it makes from a blob. */
export const redocPage = (title: string): DocsPage => ({
  html: html({
    title: `${title} – API reference`,
    styles: ['/redoc/page.css'],
    scripts: ['/redoc/redoc.standalone.js', '/redoc/init.js'],
  }),
  policy: policyWith('worker-src blob:'),
  files: { 'init.js': { type: SCRIPT, text: REDOC_INIT }, 'page.css': { type: STYLE, text: REDOC_STYLE } },
});
