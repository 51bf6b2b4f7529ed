----------------------------- MODULE HeddleModel -----------------------------
(***************************************************************************)
(* What TLC checks: the properties, and which nodes and jobs are alike.    *)
(* This is a module of its own because TLC computes these sets at once,    *)
(* and in a trace there are too many nodes and jobs for that.              *)
(***************************************************************************)
EXTENDS HeddleProperties

SameNodes == Permutations(Nodes)
SameJobs == Permutations(Jobs)
SameAll == Permutations(Nodes) \cup Permutations(Jobs)

=============================================================================
