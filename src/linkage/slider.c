// A slider in a guide with small clearance: which corners touch, and how hard.
// [dahl] (20)-(23) with a' and a'' of (23) in their right places, Fig. 10; (53)-(55) with both
// corner forces counted by their size.
#include <math.h>

#include "stiction/linkage.h"

StiSliderContact sti_slider_contact(double N0, double M0, double front, double rear)
{
    const double length = front + rear;
    StiSliderContact contact = {.mode = 5};
    if (N0 == 0.0 && M0 == 0.0) return contact; // nothing touches: excluded
    if (!(length >
          0.0)) { // a slider without length: one face takes the force, moments are not felt
        contact.mode = N0 >= 0.0 ? 1 : 2;
        contact.N_front = N0;
        return contact;
    }
    contact.N_front = (rear * N0 + M0) / length;
    contact.N_rear = (front * N0 - M0) / length;
    if (N0 != 0.0 && contact.N_front * contact.N_rear >= 0.0) { // -rear <= e <= front
        contact.e = M0 / N0;
        contact.mode = N0 > 0.0 ? 1 : 2;
        return contact;
    }
    contact.mode = contact.N_rear > 0.0 ? 3 : 4;
    return contact;
}
