/**
 * A form on the doc page that signs a user in and passes the token to Swagger UI, so that routes can be tried without
 * copying it. The session is renewed while the page is open.
 */
export const SIGN_IN_FORM = `<form id="sign-in" aria-label="Sign in">
<label>E-mail <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
<span role="status"></span>
</form>`;

export const SIGN_IN_STYLE = `#sign-in { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .75rem 20px;
  font: 14px system-ui, sans-serif; background: #eef1f4; color: #22282c; }
#sign-in input, #sign-in button { font: inherit; padding: .3rem .6rem; border: 1px solid #8a949b; border-radius: 4px; }
#sign-in button { background: #1f5fbf; border-color: #1f5fbf; color: #fff; cursor: pointer; }
html.dark-mode #sign-in { background: #16191b; color: #e4e6e6; }
html.dark-mode #sign-in input { background: #23282b; color: inherit; border-color: #5a6268; }
`;

/** Expects \`ui\`, the result of SwaggerUIBundle. */
export const SIGN_IN_SCRIPT = `const RENEW_EVERY_MS = 10 * 60_000;
const send = async (path, body) => {
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await reply.json().catch(() => ({}));
  if (reply.status === 404) throw new Error('This surface signs nobody in: use Authorize with a token.');
  if (!reply.ok) throw new Error(answer.detail ?? 'The service answered ' + reply.status);
  return answer;
};
const addSignIn = (ui) => {
  const form = document.getElementById('sign-in');
  const status = form.querySelector('[role=status]');
  let renewing;
  const use = ({ access_token, refresh_token }) => {
    ui.preauthorizeApiKey('bearer', access_token);
    clearTimeout(renewing);
    renewing = setTimeout(() => {
      send('/api/auth/refresh', { refresh_token }).then(use, ({ message }) => { status.textContent = message; });
    }, RENEW_EVERY_MS);
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { email, password } = Object.fromEntries(new FormData(form));
    status.textContent = 'Signing in …';
    try {
      use(await send('/api/auth/login', { email, password }));
      form.elements.password.value = '';
      status.textContent = 'Signed in as ' + email + '.';
    } catch ({ message }) {
      status.textContent = message;
    }
  });
};
`;
