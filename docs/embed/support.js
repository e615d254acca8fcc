const card = document.querySelector("review-card");
const news = document.querySelector("#news");

// Your server knows who is signed in. It asks Countersign for a card session of their conversation, with its host key.
card.getToken = async () => {
  const response = await fetch("card-session", { method: "POST" });
  if (!response.ok) throw new Error(`No card session: the shop answered ${response.status}.`);
  return (await response.json()).token;
};

card.addEventListener("confirmed", () => {
  news.textContent = "Thank you. One moment…";
});
card.addEventListener("declined", () => {
  news.textContent = "All right, it stays as it is.";
});
card.addEventListener("settled", ({ detail }) => {
  const words = { applied: "That is done.", not_applied: "That could not be done." };
  // Pending and unknown are neither; the card tells when more is known, and this is called again.
  news.textContent = words[detail.state] ?? "We are finding out how it went.";
});
