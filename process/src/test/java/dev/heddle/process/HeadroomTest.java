package dev.heddle.process;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HeadroomTest extends ProcessFixture {

    private static final long MIB = 1024 * 1024;

    @Test
    void namesTheScarceResource() {
        Headroom headroom = Headroom.standard();

        assertThat(headroom.shortage(new Headroom.Free(512 * MIB, 512 * MIB))).isEmpty();
        assertThat(headroom.shortage(new Headroom.Free(512 * MIB - 1, 512 * MIB)))
                .contains("only 511 MiB of memory is free; 512 MiB is required");
        assertThat(headroom.shortage(new Headroom.Free(Long.MAX_VALUE, MIB)))
                .contains("only 1 MiB of disk space is free; 512 MiB is required");
        assertThat(Headroom.none().shortage(new Headroom.Free(0, 0))).isEmpty();
        assertThatThrownBy(() -> new Headroom(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsFreeMemoryAndDiskSpaceOfThisMachine() {
        Headroom.Free free = open(Isolation.NAMESPACE).free();

        assertThat(free.memory()).isBetween(MIB, 1L << 50);
        assertThat(free.disk()).isBetween(MIB, 1L << 60);
    }
}
