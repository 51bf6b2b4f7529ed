package dev.heddle.process;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The few calls of the Linux C library that Java has no word for. */
final class Posix {

    static final int SIGTERM = 15;
    static final int SIGKILL = 9;

    private static final int WNOHANG = 1;
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    // The same on every architecture, as all system calls of that age are.
    private static final long PIDFD_SEND_SIGNAL = 424;
    private static final long PIDFD_OPEN = 434;

    private final MethodHandle kill;
    private final MethodHandle waitpid;
    private final MethodHandle prctl;
    private final MethodHandle syscall;
    private final MethodHandle close;

    Posix() {
        Linker linker = Linker.nativeLinker();
        this.kill = handle(linker, "kill",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        this.waitpid = handle(linker, "waitpid", FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        this.prctl = handle(linker, "prctl",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        this.syscall = handle(linker, "syscall",
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        this.close = handle(linker, "close",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(Linker linker, String name, FunctionDescriptor shape,
            Linker.Option... options) {
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape, options);
    }

    /** Signals every process of a group; whether there was one to signal. */
    boolean signalGroup(long group, int signal) {
        return group > 1 && call(() -> (int) kill.invokeExact((int) -group, signal)) == 0;
    }

    /**
     * Signals one process that is known by more than its number: the number is tied to the process first, then the
     * caller looks whether it is the right one, so that a process which gets the number in between is never hit.
     */
    boolean signal(long pid, int signal, java.util.function.BooleanSupplier isTheOne) {
        int fd = (int) call(() -> (long) syscall.invokeExact(PIDFD_OPEN, pid, 0L, 0L, 0L));
        if (fd < 0) {
            // A kernel before 5.3 has no such handles; the process may also be gone.
            return isTheOne.getAsBoolean()
                    && call(() -> (int) kill.invokeExact((int) pid, signal)) == 0;
        }
        try {
            return isTheOne.getAsBoolean()
                    && call(() -> (long) syscall.invokeExact(PIDFD_SEND_SIGNAL, (long) fd, (long) signal, 0L,
                            0L)) == 0;
        } finally {
            call(() -> (int) close.invokeExact(fd));
        }
    }

    /** Takes a child off the kernel's list whose end nobody else waits for; whether it had ended. */
    boolean reap(long pid) {
        return call(() -> (int) waitpid.invokeExact((int) pid, MemorySegment.NULL, WNOHANG)) == pid;
    }

    /** Makes this process the parent of all orphans among its descendants, or no longer. */
    boolean adoptOrphans(boolean adopt) {
        return call(() -> (int) prctl.invokeExact(PR_SET_CHILD_SUBREAPER, adopt ? 1L : 0L, 0L, 0L, 0L)) == 0;
    }

    private interface Call {
        long make() throws Throwable;
    }

    @SuppressWarnings("CatchingThrowable")
    private static long call(Call call) {
        try {
            return call.make();
        } catch (Throwable e) {
            // The calls themselves throw nothing; what comes here is a wrong description of one.
            throw new AssertionError(e);
        }
    }
}
