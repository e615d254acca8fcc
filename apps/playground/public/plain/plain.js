const conversationId = new URLSearchParams(location.search).get("c") ?? "";
const card = document.querySelector("review-card");
const news = document.querySelector("#news");
document.querySelector("#chat").href = `/?c=${encodeURIComponent(conversationId)}`;

// In the playground Ana is whoever opens this page; a shop asks its own session who is signed in.
card.getToken = async () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const response = await fetch("/bot/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ conversationId, as: "ana", locale: "en-GB", timeZone }),
  });
  if (!response.ok) throw new Error(`No card session: the shop's backend answered ${response.status}.`);
  return (await response.json()).token;
};

card.addEventListener("settled", ({ detail }) => {
  news.textContent = `The page was told: ${detail.state.replace("_", " ")}.`;
});
card.addEventListener("declined", () => {
  news.textContent = "The page was told: declined.";
});
