const CONDITION = '!root.head && root.adoptedStyleSheets';

/**
 * `style-mod`, which writes CodeMirror's styles, adopts style sheets in shadow roots alone and adds a `<style>` to
 * documents, which the content security policy refuses. It adopts them in documents too once its condition is gone.
 */
export function adoptStyleSheets(code: string): string {
  const parts = code.split(CONDITION);
  if (parts.length !== 2)
    throw new Error(
      `style-mod has changed: "${CONDITION}" stands ${parts.length - 1} times in it, not once. Look for the place where it chooses between a <style> and adopted style sheets, and adapt src/studio/build/style-mod.ts.`,
    );
  return parts.join('root.adoptedStyleSheets');
}
