/** The server's commitment for each deal, and whether it was kept. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Verdict, verdict } from "../net/commitment";
import type { Commitment } from "../net/protocol";
import { Icon, type IconName } from "../shell/icons";
import { t } from "../texts";

const SIGNS: Record<Verdict, IconName> = {
  kept: "check",
  given: "seal",
  broken: "close",
  sealed: "seal",
  unknown: "seal",
};

/** Whether a deal is verified, in a word or two. */
export function VerdictMark(props: { verdict: Verdict }) {
  return (
    <span class={`verdict ${props.verdict}`} data-verdict={props.verdict}>
      <Icon name={SIGNS[props.verdict]} />
      {t(`fair.${props.verdict}`)}
    </span>
  );
}

/** Return the verdict on a deal from its seed and digest. */
function useVerdict(commitment: Commitment): Verdict {
  const { digest, seed, given, dropped } = commitment;
  const result = useSignal<Verdict>("sealed");
  useEffect(() => {
    let current = true;
    void verdict(commitment).then((found) => {
      if (current) result.value = found;
    });
    return () => {
      current = false;
    };
  }, [digest, seed, given, dropped]);
  return result.value;
}

function DealProof(props: { commitment: Commitment; verdict: Verdict }) {
  const { deal, digest, seed } = props.commitment;
  const nonces = (props.commitment.nonces ?? []).filter(Boolean);
  return (
    <li class="proof" data-testid={`proof-${deal}`}>
      <strong>{t("fair.deal", { n: deal })}</strong>
      <VerdictMark verdict={props.verdict} />
      <dl>
        <dt>{t("fair.digest")}</dt>
        <dd>
          <code>{digest || "–"}</code>
        </dd>
        {nonces.length > 0 && (
          <>
            <dt>{t("fair.nonces")}</dt>
            <dd>
              <code>{nonces.join(" ")}</code>
            </dd>
          </>
        )}
        {seed && (
          <>
            <dt>{t("fair.seed")}</dt>
            <dd>
              <code>{seed}</code>
            </dd>
          </>
        )}
      </dl>
    </li>
  );
}

function LiveProof(props: { commitment: Commitment }) {
  return <DealProof commitment={props.commitment} verdict={useVerdict(props.commitment)} />;
}

export function Fairness(props: {
  commitments: Commitment[];
  seeded?: boolean;
  /** By deal, if the whole record has been verified. */
  verdicts?: ReadonlyMap<number, Verdict>;
}) {
  const { commitments, verdicts } = props;
  const kept = commitments.filter((one) => verdicts?.get(one.deal) === "kept").length;
  const given = commitments.every((one) => verdicts?.get(one.deal) === "given");
  return (
    <details class="fairness">
      <summary>
        <Icon name="seal" />
        {t("fair.title")}
        {verdicts && commitments.length > 0 && (
          <span class={`fair-count ${given ? "given" : kept === commitments.length ? "kept" : "broken"}`}>
            {given ? t("fair.given") : t("fair.count", { n: kept, of: commitments.length })}
          </span>
        )}
      </summary>
      <p>{t("fair.more")}</p>
      {props.seeded && <p>{t("table.reproducible")}</p>}
      {commitments.length ? (
        <ol>
          {commitments.map((one) =>
            verdicts ? (
              <DealProof key={one.deal} commitment={one} verdict={verdicts.get(one.deal) ?? "unknown"} />
            ) : (
              <LiveProof key={one.deal} commitment={one} />
            ),
          )}
        </ol>
      ) : (
        <p>{t(verdicts ? "fair.none.replay" : "fair.none")}</p>
      )}
      <p>
        <small>{t("fair.command")}</small>
      </p>
    </details>
  );
}
