/** What the server answers `GET /review` with. Nothing here needs a browser. */
export type ReviewPage = {
  readonly html: string;
  readonly headers: { readonly [name: string]: string };
};

/**
 * The static page that a review link opens. `scriptUrl` is where the server serves `review-page.global.js`, relative to
 * the page; default: `review/page.js`.
 *
 * The page holds nothing of any customer. Its policy lets it run that one script and speak to its own origin.
 */
export function reviewPage({
  scriptUrl = "review/page.js",
}: {
  readonly scriptUrl?: string;
} = {}): ReviewPage {
  const src = scriptUrl.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return {
    html: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="robots" content="noindex" />
    <title>Please review</title>
    <script defer src="${src}"></script>
  </head>
  <body>
    <main>
      <noscript>
        This page needs JavaScript to show what waits for you. Nothing was decided by opening it.
      </noscript>
    </main>
  </body>
</html>
`,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join("; "),
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    },
  };
}
