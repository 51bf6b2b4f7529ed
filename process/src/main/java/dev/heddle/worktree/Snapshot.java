package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.heddle.job.JobId;
import dev.heddle.worktree.WorktreeException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves what an attempt changed under a separate ref. Branch lists do not show that ref, and it survives both the
 * removal of the worktree and {@code git gc}. The snapshot is taken with a copy of the index: the worktree does not
 * change, no hook runs, and no configuration is written. Files that git ignores are not saved.
 */
final class Snapshot {

    private static final Logger LOG = LoggerFactory.getLogger(Snapshot.class);
    private static final Map<String, String> IDENTITY = Map.of("GIT_AUTHOR_NAME", "Heddle", "GIT_AUTHOR_EMAIL",
            "heddle@localhost", "GIT_COMMITTER_NAME", "Heddle", "GIT_COMMITTER_EMAIL", "heddle@localhost");

    /** The mode of a nested repository in the index. */
    private static final String NESTED = "160000 ";

    private Snapshot() {}

    static String ref(JobId job, int attempt) {
        return "refs/heddle/" + job + "/" + attempt;
    }

    /** Saves the changes of an attempt; empty if it changed nothing. */
    static Optional<SavedWork> take(WorktreeGit git, WorktreeMetadata metadata, JobId job) {
        String purpose = "save the changes in " + git.path();
        git.restoreLinks();
        String head = git.runOrFail(purpose, Map.of(), "rev-parse", "--verify", "HEAD").line();
        String tree = writeTree(git, purpose);
        boolean committed = tree
                .equals(git.runOrFail(purpose, Map.of(), "rev-parse", "--verify", head + "^{tree}").line());
        if (committed && head.equals(metadata.commit())) {
            return Optional.empty();
        }
        String commit = committed ? head : git.runOrFail(purpose, IDENTITY, "commit-tree", tree, "-p", head, "-m",
                "Changes of job " + job + ", attempt " + metadata.attempt()).line();
        String ref = ref(job, metadata.attempt());
        git.runOrFail(purpose, Map.of(), "update-ref", ref, commit);
        return Optional
                .of(new SavedWork(Repository.displayPath(metadata.repository()), ref, commit, metadata.commit()));
    }

    /**
     * Removes nested repositories from the index, to which adding all files adds them again. To see whether one that is
     * in the index has changed, git would start another git in it, which would run what its configuration names.
     */
    private static void forgetNested(WorktreeGit git, String purpose, Map<String, String> withIndex) {
        List<String> command = new ArrayList<>(List.of("update-index", "--force-remove", "--"));
        for (String entry : git.runOrFail(purpose, withIndex, "ls-files", "--stage", "-z").parts()) {
            String path = entry.substring(entry.indexOf('\t') + 1);
            if (entry.startsWith(NESTED) && Files.exists(git.path().resolve(path).resolve(".git"))) {
                command.add(path);
            }
        }
        if (!command.getLast().equals("--")) {
            git.runOrFail(purpose, withIndex, command.toArray(String[]::new));
        }
    }

    /** Writes all files as they are to the repository and returns the id of the tree. */
    private static String writeTree(WorktreeGit git, String purpose) {
        Path index = git.path().resolveSibling(git.path().getFileName() + ".index");
        Map<String, String> withIndex = Map.of("GIT_INDEX_FILE", index.toString());
        try {
            if (Files.exists(git.index())) {
                // The index tells git which files have not changed, which saves reading them all.
                Files.copy(git.index(), index, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            }
            forgetNested(git, purpose, withIndex);
            Git.Result added = git.run(withIndex, "add", "-A", "--ignore-errors", ".");
            if (!added.ok()) {
                if (Git.isDiskFull(added)) {
                    throw Git.failure(purpose, git.path(), added);
                }
                // One unreadable file must not prevent saving the others.
                LOG.warn("Some files in {} could not be saved: {}", git.path(), added.errorLine());
            }
            return git.runOrFail(purpose, withIndex, "write-tree").line();
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot " + purpose + ": " + e, e);
        } finally {
            WorktreeGit.delete(index);
            WorktreeGit.delete(index.resolveSibling(index.getFileName() + ".lock"));
        }
    }
}
