import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@countersign/review-card/card.css";
import "./page.css";
import "./chat.css";
import "./behind.css";
import "./wide.css";
import "./phones/phones.css";
import "@countersign/review-card/themes/harbor.css";
import "@countersign/review-card/themes/ember.css";
import "@countersign/review-card/themes/contrast.css";
import "./gallery/gallery.css";
import type { Person } from "../bot/chat-log.ts";
import { backend } from "./backend.ts";
import { openGallery } from "./gallery/gallery-page.tsx";
import { Page } from "./page.tsx";
import { PhonesPage } from "./phones/phones-page.tsx";
import { conversationOfTab, rememberedPerson, rememberPerson } from "./tab.ts";

const place = document.getElementById("page");
if (place === null) throw new Error("The page has no #page element. Serve the built index.html.");

/** Who this tab is: as before a reload, or whoever the conversation belongs to. */
async function personOfTab(conversationId: string): Promise<Person | null> {
  const { person: present } = await backend.open(conversationId);
  const remembered = rememberedPerson(conversationId);
  const person = remembered === undefined ? present : remembered;
  rememberPerson(conversationId, person);
  return person;
}

async function pageAt({ pathname, search }: Location): Promise<ReactElement> {
  if (pathname === "/gallery") return openGallery(search);
  const conversationId = conversationOfTab();
  if (pathname === "/phones") return <PhonesPage conversationId={conversationId} />;
  return <Page conversationId={conversationId} firstPerson={await personOfTab(conversationId)} />;
}

const page = await pageAt(window.location);

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>{page}</QueryClientProvider>
  </StrictMode>,
);
