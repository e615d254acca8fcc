import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@countersign/review-card/card.css";
import "./page.css";
import "./chat.css";
import "./behind.css";
import "./wide.css";
import { backend } from "./backend.ts";
import { Page } from "./page.tsx";
import { conversationOfTab, rememberedPerson, rememberPerson } from "./tab.ts";

const place = document.getElementById("page");
if (place === null) throw new Error("The page has no #page element. Serve the built index.html.");

const conversationId = conversationOfTab();
const { person: present } = await backend.open(conversationId);
const remembered = rememberedPerson(conversationId);
const person = remembered === undefined ? present : remembered;
rememberPerson(conversationId, person);

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <Page conversationId={conversationId} firstPerson={person} />
    </QueryClientProvider>
  </StrictMode>,
);
