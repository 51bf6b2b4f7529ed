package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;

import dev.heddle.job.JobId;
import dev.heddle.worktree.WorktreeException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what an attempt changed under a ref of its own, which no branch shows and which neither the removal of the
 * worktree nor {@code git gc} takes away. Works on a copy of the index: the worktree stays as it is, no hook runs and
 * no configuration is written. What git ignores is not kept.
 */
final class Snapshot {

    private static final Logger LOG = LoggerFactory.getLogger(Snapshot.class);
    private static final Map<String, String> IDENTITY = Map.of("GIT_AUTHOR_NAME", "Heddle",
            "GIT_AUTHOR_EMAIL",
            "heddle@localhost", "GIT_COMMITTER_NAME", "Heddle", "GIT_COMMITTER_EMAIL", "heddle@localhost");

    private Snapshot() {}

    static String ref(JobId job, int attempt) {
        return "refs/heddle/" + job + "/" + attempt;
    }

    /** Empty where the attempt left everything as it found it. */
    static Optional<SavedWork> take(Checkout checkout, Owner owner, JobId job) {
        String what = "save the changes in " + checkout.path();
        String head = checkout.must(what, Map.of(), "rev-parse", "--verify", "HEAD").line();
        String tree = tree(checkout, what);
        boolean committed = tree
                .equals(checkout.must(what, Map.of(), "rev-parse", "--verify", head + "^{tree}").line());
        if (committed && head.equals(owner.commit())) {
            return Optional.empty();
        }
        String commit = committed ? head
                : checkout.must(what, IDENTITY, "commit-tree", tree, "-p", head, "-m",
                        "What job " + job + " changed in attempt " + owner.attempt()).line();
        String ref = ref(job, owner.attempt());
        checkout.must(what, Map.of(), "update-ref", ref, commit);
        return Optional.of(new SavedWork(Repository.shown(owner.repository()), ref, commit, owner.commit()));
    }

    /** All files as they are, as a tree in the repository. */
    private static String tree(Checkout checkout, String what) {
        Path index = checkout.path().resolveSibling(checkout.path().getFileName() + ".index");
        Map<String, String> here = Map.of("GIT_INDEX_FILE", index.toString());
        try {
            if (Files.exists(checkout.index())) {
                // With it git knows which files have not changed, and does not read them all.
                Files.copy(checkout.index(), index, StandardCopyOption.REPLACE_EXISTING,
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
            Git.Result added = checkout.git(here, "add", "-A", "--ignore-errors", ".");
            if (!added.ok()) {
                if (Git.isDiskFull(added)) {
                    throw Git.failed(what, checkout.path(), added);
                }
                // A file that cannot be read must not keep the others from being saved.
                LOG.warn("Not everything in {} could be saved: {}", checkout.path(), added.complaint());
            }
            return checkout.must(what, here, "write-tree").line();
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE, "cannot " + what + ": " + e, e);
        } finally {
            Checkout.delete(index);
            Checkout.delete(index.resolveSibling(index.getFileName() + ".lock"));
        }
    }
}
