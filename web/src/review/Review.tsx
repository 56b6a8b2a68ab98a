/** The review of a deal in its replay: the button, the progress, the comment on a step, the costly decisions. */

import type { GamePage, Scene } from "../games/page";
import { nameOf } from "../table/Seat";
import { list, score } from "../texts";
import { costlySteps, type DealReview, type Finding, isSame, type Line, losses, lost, nextAfter } from "./findings";
import { complaint } from "./request";
import "./review.css";
import { say } from "./texts";
import type { Reviewed } from "./useReview";

function told(line: Line, page: GamePage, scene: Scene): string {
  return line.events.map((event) => page.words(event, scene)).filter(Boolean).join(" ");
}

/** Return the text for the bot's choice; if the event texts do not distinguish it, in the words of the rules. */
export function preference(finding: Finding, page: GamePage, scene: Scene): string {
  const words = told(finding.best, page, scene);
  if (words && words !== told(finding.played, page, scene)) return words;
  return list(finding.best.actions.map((action) => action.split(" ").slice(1).join(" ") || action));
}

/** The comment on the decision of this step, if it is one, and only for the seat *only* if given. */
export function ReviewNote(props: {
  review: DealReview;
  step: number;
  only: number | null;
  page: GamePage;
  scene: Scene;
}) {
  const { review, only, page, scene } = props;
  const here = review.findings.filter((one) => one.step === props.step && (only === null || one.seat === only));
  if (!review.findings.length) return null;
  return (
    <div class="review-note" role="status" data-testid="review-note">
      {here.map((finding, at) =>
        isSame(finding) ? (
          <p key={at}>{say("same")}</p>
        ) : (
          <p key={at}>
            {say("better", { words: preference(finding, page, scene) })}{" "}
            <strong>{lost(finding) ? say("gain", { n: lost(finding) }) : say("even")}</strong>
          </p>
        ),
      )}
    </div>
  );
}

/** Marks along the slider; the button does the same for people who cannot see them. */
export function ReviewMarks(props: { review: DealReview; length: number }) {
  const steps = costlySteps(props.review);
  if (!steps.length || props.length < 2) return null;
  return (
    <div class="review-marks" aria-hidden="true">
      {steps.map((step) => (
        <span key={step} style={{ "--at": step / (props.length - 1) }} />
      ))}
    </div>
  );
}

/** Start, follow and stop a review; then go from one costly decision to the next. */
export function ReviewControls(props: { reviewed: Reviewed; scene: Scene; step: number; go: (step: number) => void }) {
  const { review, running, failure, start, stop } = props.reviewed;
  const { seats } = props.scene;
  const steps = costlySteps(review);
  return (
    <section class="review" aria-label={say("title")}>
      {review.costly !== null ? (
        <>
          <p>{steps.length ? say("count", { n: steps.length }) : say("none")}</p>
          {steps.length > 0 && (
            <button
              type="button"
              data-testid="review-next"
              onClick={() => {
                const next = nextAfter(steps, props.step);
                if (next !== undefined) props.go(next);
              }}
            >
              {say("next")}
            </button>
          )}
          <p class="faint">
            {say("lost", {
              list: list(losses(review, seats.length).map((one, seat) => `${nameOf(seats, seat)} ${score(one)}`)),
            })}
          </p>
        </>
      ) : running ? (
        <>
          <label>
            {review.total === null ? say("waiting") : say("progress", { n: review.findings.length, of: review.total })}
            <progress max={review.total ?? 1} value={review.findings.length} />
          </label>
          <button type="button" class="quiet" onClick={stop}>
            {say("stop")}
          </button>
        </>
      ) : (
        <>
          {failure && <p role="alert">{complaint(failure)}</p>}
          <button type="button" data-testid="review-start" onClick={start}>
            {say("start")}
          </button>
          <p class="faint">{say("more")}</p>
        </>
      )}
    </section>
  );
}
