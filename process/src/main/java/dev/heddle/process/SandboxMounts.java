package dev.heddle.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Decides what each path is in a sandbox. All paths are real and absolute. */
final class SandboxMounts {

    /** What a path and everything below it is, in the order of precedence for the same path. */
    enum Access {
        /** Another, empty directory, or an empty file. */
        HIDDEN, READ, WRITE
    }

    private final Map<Path, Access> mounts = new TreeMap<>(
            Comparator.comparingInt(Path::getNameCount).thenComparing(Comparator.naturalOrder()));

    SandboxMounts add(Access access, Path path) {
        mounts.merge(path, access, (before, added) -> added.compareTo(before) > 0 ? added : before);
        return this;
    }

    /** Returns the mounts, each after those that contain it. */
    Map<Path, Access> inOrder() {
        return new LinkedHashMap<>(mounts);
    }

    Access access(Path path) {
        Access found = Access.READ;
        for (Map.Entry<Path, Access> mount : mounts.entrySet()) {
            if (path.startsWith(mount.getKey())) {
                found = mount.getValue();
            }
        }
        return found;
    }

    /** Returns the options of bubblewrap for these mounts, on top of a read-only root. */
    List<String> options(Predicate<Path> isDirectory) {
        List<String> options = new ArrayList<>();
        mounts.forEach((path, access) -> {
            String text = path.toString();
            switch (access) {
                case HIDDEN -> options.addAll(
                        isDirectory.test(path) ? List.of("--tmpfs", text) : List.of("--ro-bind", "/dev/null", text));
                case READ -> options.addAll(List.of("--ro-bind", text, text));
                case WRITE -> options.addAll(List.of("--bind", text, text));
            }
        });
        return options;
    }
}
