package dev.heddle.server;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AddressRangeTest {

    @ParameterizedTest
    @CsvSource({"10.0.0.0/8, 10.255.1.2, true", "10.0.0.0/8, 11.0.0.1, false", "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.8, false", "192.0.2.6/31, 192.0.2.7, true", "192.0.2.6/31, 192.0.2.8, false",
        "0.0.0.0/0, 203.0.113.9, true", "0.0.0.0/0, ::1, false", "::1, ::1, true", "::1, 0:0:0:0:0:0:0:1, true",
        "::1, [::1], true", "2001:db8::/32, 2001:db8:1::9, true", "2001:db8::/32, 2001:db9::9, false",
        "fe80::/10, fe80::1%eth0, true", "10.0.0.0/8, example.org, false", "10.0.0.0/8, '', false"})
    void contains(String range, String address, boolean contained) {
        assertThat(AddressRange.parse(range).contains(address)).isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "proxy", "localhost", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "10.0.0.0/8/8",
        "10.0.0", "999.1.1.1", "::1/129", "*"})
    void refusesWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> AddressRange.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not an address or a network");
    }
}
