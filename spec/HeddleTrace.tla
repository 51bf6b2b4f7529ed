----------------------------- MODULE HeddleTrace -----------------------------
(***************************************************************************)
(* Whether what stores committed in simulations is a behaviour of the      *)
(* model.                                                                  *)
(*                                                                         *)
(* TraceData, a generated module, has the commits of several runs: Traces. *)
(* Every commit must be a step of Heddle.tla with the same result. Between *)
(* commits nodes do what no store can see: they get answers, start, finish *)
(* and stop. Such a step is taken only if the next commit needs it. A run  *)
(* is accepted if its end is reached; TLC prints how far each one gets.    *)
(***************************************************************************)
EXTENDS HeddleProperties, TraceData

VARIABLES
    t,       \* the trace that is played
    l,       \* its next commit
    mail,    \* claims whose answer has not arrived: [n, j, a, susp, cap, lost]
    seen     \* attempts that a renewal has listed: [n, j, a]

traceVars == <<vars, t, l, mail, seen>>
Trace == Traces[t]
E == Trace[l]
IsNext(op) == l <= Len(Trace) /\ E.op = op

TraceInit == Init /\ t \in 1..Len(Traces) /\ l = 1 /\ mail = {} /\ seen = {}

\* After a commit, on to the next one.
Advance == l' = l + 1 /\ t' = t /\ PrintT(<<"reached", t, l>>)
Keep == UNCHANGED <<t, l>>

Here(n) == {r \in node[n].known : r.j = E.j /\ r.a = E.a}
The(n) == CHOOSE r \in Here(n) : TRUE
Letters == {c \in mail : c.n = E.n /\ c.j = E.j /\ c.a = E.a}

---------------------------------------------------------------------------
(* What no store can see *)

Concerns(ops) == l <= Len(Trace) /\ E.op \in ops

Arrive(c) ==
    /\ ~c.lost
    /\ node' = [node EXCEPT ![c.n].known = @ \cup {NewRun(c)}]
    /\ mail' = mail \ {c}
    /\ UNCHANGED <<rows, leases, acked, work, used, past, seen>>

ArriveAndStart(c) ==
    /\ ~c.lost /\ IsUp(c.n) /\ Guarantee(c.n, NewRun(c)) = "NONE" /\ MayStart(c.n, NewRun(c))
    /\ node' = [node EXCEPT ![c.n].known = @ \cup {[NewRun(c) EXCEPT !.s = "running"]}]
    /\ mail' = mail \ {c}
    /\ UNCHANGED <<rows, leases, acked, work, used, past, seen>>

HiddenArrival ==
    \/ Concerns({"start", "end", "release", "clear"}) /\ Here(E.n) = {} /\ \E c \in Letters : Arrive(c)
    \* With a suspect about, it matters that others started before it came, even if their starts were never written.
    \/ (\E j \in Jobs : rows[j].susp) /\ \E c \in mail : c.quiet /\ ArriveAndStart(c)

HiddenStart(r) == StartRun(E.n, r, FALSE) /\ UNCHANGED <<mail, seen>>

Tell(n, r, cause) ==
    /\ Swap(n, r, {[r EXCEPT !.stop = cause]})
    /\ UNCHANGED <<rows, leases, acked, work, used, past, mail, seen>>
GiveUp(n, r) ==
    /\ Swap(n, r, {[r EXCEPT !.s = "releasing"]})
    /\ UNCHANGED <<rows, leases, acked, work, used, past, mail, seen>>
\* A renewal told of a claim whose answer never came.
Return(n) ==
    /\ [n |-> n, j |-> E.j, a |-> E.a] \in seen
    /\ node' = [node EXCEPT ![n].known = @ \cup
            {[NewRun([j |-> E.j, a |-> E.a, susp |-> FALSE, cap |-> Uncapped]) EXCEPT !.s = "returning"]}]
    /\ mail' = mail \ Letters
    /\ UNCHANGED <<rows, leases, acked, work, used, past, seen>>

HiddenRun ==
    \/ Concerns({"start", "clear"}) /\ \E r \in Here(E.n) : r.s = "claimed" /\ HiddenStart(r)
    \/ Concerns({"end"}) /\ \E r \in Here(E.n) :
        \/ r.s = "claimed" /\ HiddenStart(r)
        \/ r.s = "running" /\ E.out = "release" /\ r.stop = "" /\ Tell(E.n, r, "lapsed")
        \/ r.s = "running" /\ E.out = "cancel" /\ r.stop = "" /\ Tell(E.n, r, "cancel")
        \/ r.s = "running" /\ Finish(E.n, r, E.out, FALSE) /\ UNCHANGED <<mail, seen>>
    \/ Concerns({"release"}) /\ \E r \in Here(E.n) : r.s = "claimed" /\ GiveUp(E.n, r)
    \/ Concerns({"release"}) /\ Here(E.n) = {} /\ Return(E.n)

\* Which nodes a recovery declares dead shows in the commit. One that goes on later has only stood still.
Members == {m \in Nodes : leases[m] # "none"}
Dying == {d \in Members \ E.members : leases[d] = "live"}
HiddenDeath ==
    /\ Concerns({"recover"}) /\ Dying # {}
    /\ LET d == CHOOSE x \in Dying : TRUE
       IN IF IsUp(d) THEN StandStill(d) ELSE LeaseEnds(d)
    /\ UNCHANGED <<mail, seen>>
HiddenLife ==
    /\ l <= Len(Trace) /\ E.op # "recover" /\ E.n \in Nodes /\ node[E.n].life = "still"
    /\ node' = [node EXCEPT ![E.n].life = "up"]
    /\ UNCHANGED <<rows, leases, acked, work, used, past, mail, seen>>
HiddenDuty ==
    /\ Concerns({"recover"}) /\ Dying = {} /\ (Members # E.members \/ E.moved # {}) /\ ~node[E.n].duty
    /\ node' = [node EXCEPT ![E.n].duty = TRUE, ![E.n].life = "up"]
    /\ UNCHANGED <<rows, leases, acked, work, used, past, mail, seen>>

Hidden == HiddenArrival \/ HiddenRun \/ HiddenDeath \/ HiddenLife \/ HiddenDuty

---------------------------------------------------------------------------
(* Commits *)

TraceJoin == IsNext("join") /\ Join(E.n) /\ UNCHANGED <<mail, seen>>

TraceSubmit == IsNext("submit") /\ Submit(E.j, E.lost) /\ UNCHANGED <<mail, seen>>

TraceCancel == IsNext("cancel") /\ CancelJob(E.j) /\ UNCHANGED <<mail, seen>>

\* As ClaimJob, which claims one job at a time.
TraceClaim ==
    /\ IsNext("claim") /\ IsUp(E.n) /\ leases[E.n] # "none" /\ rows[E.j].st = "QUEUED"
    /\ rows[E.j].susp = E.susp /\ rows[E.j].cap = E.cap
    /\ rows' = Claim(rows, E.j, E.n) /\ rows'[E.j].att = E.a
    /\ mail' = mail \cup {[n |-> E.n, j |-> E.j, a |-> E.a, susp |-> E.susp, cap |-> E.cap, lost |-> E.lost,
                           quiet |-> E.quiet, slow |-> FALSE]}
    /\ UNCHANGED <<leases, node, acked, work, used, past, seen>>

TraceStart ==
    /\ IsNext("start")
    /\ \E r \in Here(E.n) :
        \/ /\ r.s = "starting" /\ r.guar = E.guar
           /\ Apply(rows, StartChange(E.n, r)).verdict = E.verdict
           /\ CommitStart(E.n, r, E.lost)
        \/ /\ r \in Posted(E.n) /\ E.guar = "NONE"
           /\ Apply(rows, StartChange(E.n, r)).verdict = E.verdict
           /\ CommitPosted(E.n, r)
        \* Written again because the answer was lost, or with a guarantee because a suspect has come.
        \/ /\ r.written \/ r.s = "releasing"
           /\ LET result == Apply(rows, [StartChange(E.n, r) EXCEPT !.guar = E.guar])
              IN result.verdict = E.verdict /\ rows' = result.rows
           /\ UNCHANGED <<leases, node, acked, work, used, past>>
    /\ UNCHANGED <<mail, seen>>

TraceClear ==
    /\ IsNext("clear")
    /\ \E r \in Here(E.n) :
        /\ Apply(rows, [k |-> "clear", j |-> r.j, a |-> r.a, n |-> E.n]).verdict = E.verdict
        /\ IF r.s = "running" /\ ~r.clr THEN Clear(E.n, r)
           ELSE /\ rows' = Apply(rows, [k |-> "clear", j |-> r.j, a |-> r.a, n |-> E.n]).rows
                /\ UNCHANGED <<leases, node, acked, work, used, past>>
    /\ UNCHANGED <<mail, seen>>

TraceEnd ==
    /\ IsNext("end")
    /\ \E r \in Here(E.n) : /\ r.s = "ending" /\ r.out = E.out
                            /\ Apply(rows, EndChange(E.n, r)).verdict = E.verdict
                            /\ CommitEnd(E.n, r, E.lost)
    /\ UNCHANGED <<mail, seen>>

TraceRelease ==
    /\ IsNext("release")
    /\ \E r \in Here(E.n) : /\ r.s \in {"releasing", "returning"}
                            /\ Apply(rows, [k |-> "release", j |-> r.j, a |-> r.a, n |-> E.n]).verdict = E.verdict
                            /\ CommitRelease(E.n, r, E.lost)
    /\ UNCHANGED <<mail, seen>>

HeldBy(n) == {<<j, rows[j].att, rows[j].st>> : j \in {x \in Jobs : rows[x].node = n}}

TraceRenew ==
    /\ IsNext("renew")
    /\ E.dead = (leases[E.n] = "none")
    /\ ~E.dead => E.held = HeldBy(E.n)
    /\ rows' = Sweep(rows)
    /\ leases' = IF E.dead THEN leases ELSE [leases EXCEPT ![E.n] = "live"]
    /\ seen' = seen \cup {[n |-> E.n, j |-> h[1], a |-> h[2]] : h \in E.held}
    /\ UNCHANGED <<node, acked, work, used, past, mail>>

\* Every node that the commit removes is dead in the model, and every job is moved alike.
TraceRecover ==
    /\ IsNext("recover") /\ Dying = {} /\ RecoverAll(E.n)
    /\ {m \in Nodes : leases'[m] # "none"} = E.members
    /\ \A f \in E.moved : /\ rows'[f.j].st = f.st /\ rows'[f.j].crashes = f.crashes
                          /\ rows'[f.j].susp = f.susp /\ rows'[f.j].cap = f.cap
    /\ {f.j : f \in E.moved} = {j \in Jobs : IsHeld(rows[j]) /\ rows'[j].node # rows[j].node}
    /\ UNCHANGED <<mail, seen>>

\* The survivor has not renewed its lease for long enough, or is dead itself.
TraceNoRecovery ==
    /\ IsNext("recover") /\ E.moved = {} /\ E.members = Members
    /\ UNCHANGED <<vars, mail, seen>>

TraceLeave ==
    /\ IsNext("leave")
    /\ leases' = [leases EXCEPT ![E.n] = IF @ = "none" THEN @ ELSE IF \E j \in Jobs : rows[j].node = E.n THEN "expired" ELSE "none"]
    /\ node' = [node EXCEPT ![E.n] = [Fresh EXCEPT !.life = "dead"]]
    /\ UNCHANGED <<rows, acked, work, used, past, mail, seen>>

\* The jobs as they are in the end.
TraceEnds ==
    /\ IsNext("final")
    /\ \A f \in E.jobs : rows[f.j].st = f.st /\ rows[f.j].att = f.a /\ rows[f.j].failures = f.failures
    /\ {f.j : f \in E.jobs} = {j \in Jobs : rows[j].st # "NONE"}
    /\ UNCHANGED <<vars, mail, seen>>

Commit == \/ TraceJoin \/ TraceSubmit \/ TraceCancel \/ TraceClaim \/ TraceStart \/ TraceClear \/ TraceEnd
          \/ TraceRelease \/ TraceRenew \/ TraceRecover \/ TraceNoRecovery \/ TraceLeave \/ TraceEnds

TraceNext == (Hidden /\ Keep) \/ (Commit /\ Advance)

TraceSpec == TraceInit /\ [][TraceNext]_traceVars

=============================================================================
