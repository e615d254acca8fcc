import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@countersign/review-card/card.css";
import "./page.css";
import "./chat.css";
import "./behind.css";
import "./wide.css";
import "./phones/phones.css";
import type { Person } from "../bot/chat-log.ts";
import { backend } from "./backend.ts";
import { Page } from "./page.tsx";
import { PhonesPage } from "./phones/phones-page.tsx";
import { conversationOfTab, rememberedPerson, rememberPerson } from "./tab.ts";

const place = document.getElementById("page");
if (place === null) throw new Error("The page has no #page element. Serve the built index.html.");

const conversationId = conversationOfTab();

/** Who this tab is: as before a reload, or whoever the conversation belongs to. */
async function personOfTab(): Promise<Person | null> {
  const { person: present } = await backend.open(conversationId);
  const remembered = rememberedPerson(conversationId);
  const person = remembered === undefined ? present : remembered;
  rememberPerson(conversationId, person);
  return person;
}

const page =
  window.location.pathname === "/phones" ? (
    <PhonesPage conversationId={conversationId} />
  ) : (
    <Page conversationId={conversationId} firstPerson={await personOfTab()} />
  );

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>{page}</QueryClientProvider>
  </StrictMode>,
);
