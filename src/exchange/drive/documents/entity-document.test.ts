import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertInThread } from './convert-in-thread.ts';
import { entityDocument } from './entity-document.ts';
import { markdownHtml } from './markdown-html.ts';

test('markdown becomes the elements that a word processor knows', () => {
  const cases: [markdown: string, html: string][] = [
    ['# One\n\nTwo\n===', '<h1>One</h1><h1>Two</h1>'],
    ['a *b* **c** ~~d~~ `e<f`', '<p>a <em>b</em> <strong>c</strong> <s>d</s> <code>e&lt;f</code></p>'],
    ['one\\\ntwo', '<p>one<br>two</p>'],
    ['- a\n  1. b\n- c', '<ul><li><p>a</p><ol><li><p>b</p></li></ol></li><li><p>c</p></li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>'],
    ['- [ ] a\n- [x] b', '<ul><li><p>☐ a</p></li><li><p>☑ b</p></li></ul>'],
    [
      '| A | B |\n|---|---|\n| 1 | **2** |',
      '<table border="1"><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><strong>2</strong></td></tr></table>',
    ],
    ['> a\n> b', '<blockquote><p>a\n b</p></blockquote>'],
    ['```js\nx < 1\n\ny\n```', '<pre>x &lt; 1\n\ny</pre>'],
    ['---', '<hr>'],
    ['\\* &amp; & &bogus', '<p>* &amp; &amp; &amp;bogus</p>'],
    ['![a](https://x.example/a.png)', '<p><img src="https://x.example/a.png" alt="a"></p>'],
    ['![the map](images/map.png)', '<p><em>the map</em></p>'],
    ['a ![](data:image/png;base64,iVBORw0KGgo=) b', '<p>a  b</p>'],
    ['![the map](data:image/png;base64,iVBORw0KGgo=)', '<p><em>the map</em></p>'],
    ['[a](https://x.example/?b=1&amp;c=\\)2)', '<p><a href="https://x.example/?b=1&amp;c=)2">a</a></p>'],
    ['[[mira_vale]] and [[character:orla|Orla]]', '<p>mira_vale and Orla</p>'],
    ['[none] [a][none]', '<p>[none] [a][none]</p>'],
    ['[a][b]\n\n[b]: https://x.example/', '<p><a href="https://x.example/">a</a></p>'],
    ['www.x.example', '<p><a href="https://www.x.example">www.x.example</a></p>'],
  ];
  for (const [markdown, html] of cases) assert.equal(markdownHtml(markdown), html, markdown);
});

test('nothing in a text becomes code, whatever it holds', () => {
  const hostile = [
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '[a](javascript:alert(1))',
    '[a](<javascript:alert(1)>)',
    '[a](  JaVaScript:alert(1))',
    '[a][b]\n\n[b]: javascript:alert(1)',
    '[a](data:text/html,<script>)',
    '[a](https://x.example/"onmouseover="alert)',
    '![a"onerror="alert(1)](https://x.example/)',
    '![a](javascript:alert(1))',
    '<javascript:alert(1)>',
    '<!-- <script> -->',
    '`</code><script>`',
    '```\n</pre><script>\n```',
    '|<script>|\n|-|\n|<b>|',
  ];
  for (const markdown of hostile) {
    const html = markdownHtml(markdown);
    assert.doesNotMatch(html, /<(?:script|b|!--)|="javascript|="data|"\s*on\w+=/i, `${markdown} → ${html}`);
    assert.doesNotMatch(html, /<img[^>]*onerror=alert/, html);
  }
});

test('fields stand in a table above the text, and what cannot be read is shown as it is', () => {
  const page = entityDocument('Mira & <co>', '---\nborn: 392\ntags: [a, b]\nnote: "<b>"\n---\n\nText.\n');
  assert.match(page, /<title>Mira &amp; &lt;co&gt;<\/title>/);
  assert.match(
    page,
    /<table border="1"><tr><th>born<\/th><td>392<\/td><\/tr><tr><th>tags<\/th><td><ul><li>a<\/li><li>b<\/li><\/ul><\/td><\/tr><tr><th>note<\/th><td>&lt;b&gt;<\/td><\/tr><\/table>\n<p>Text.<\/p>/,
  );
  assert.match(entityDocument('a', '---\na: [\n---\nText.'), /<pre>a: \[\n<\/pre>\n<p>Text.<\/p>/);
  assert.doesNotMatch(entityDocument('a', 'Text.'), /<table|<pre/);
});

test('a deeply nested text is shown to its depth and then as it is written', () => {
  assert.match(markdownHtml(`${'>'.repeat(2_000)} end`), /end/);
});

test('the page is made in a thread', async () => {
  assert.match(await convertInThread({ name: 'Mira', markdown: 'Text.' }), /<h1>Mira<\/h1>\n<p>Text\.<\/p>/);
});
