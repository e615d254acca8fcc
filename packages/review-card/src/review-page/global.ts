import { defineReviewCard } from "../element/define.ts";
import { stylePage } from "./page-styles.ts";
import { startReviewPage } from "./start.ts";

defineReviewCard();
stylePage(document);
startReviewPage(window);
